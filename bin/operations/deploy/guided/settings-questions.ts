import type { Ask } from '../../../init/answers.ts'

/** Settings of a deployment, as the settings file holds them. */
export type SettingsDocument = Readonly<Record<string, unknown>>

/** A question about one setting. */
export interface SettingsQuestion {
  /** Path of the setting, with dots. */
  readonly path: string
  readonly text: string
  readonly fallback?: string
  /** An optional setting is left out by an empty answer, and removed by `-`. */
  readonly isOptional?: true
  /** Returns what is wrong with an answer, as one sentence. */
  readonly problemOf?: (answer: string) => string | undefined
}

/** The answer that has a Cognito user pool created. */
export const COGNITO = 'cognito'

/** Host names of the committed settings. They are not taken as answers. */
const PLACEHOLDER = /\bexample\.(com|net|org)\b/

const matching = (pattern: RegExp, problem: string) => (answer: string) => (pattern.test(answer) ? undefined : problem)
const isUrl = matching(/^https:\/\/[^\s/]+/, 'It must be an address that begins with https://.')

/** The settings that cannot be guessed, in the order in which they are asked. */
const settingsQuestions: readonly SettingsQuestion[] = [
  {
    path: 'stage',
    text: 'Name of the stage',
    fallback: 'prod',
    problemOf: matching(/^[a-z][a-z0-9-]{0,19}$/, 'It must have up to 20 small letters, digits and dashes.'),
  },
  {
    path: 'region',
    text: 'AWS region',
    problemOf: matching(/^[a-z]{2}(-[a-z]+)+-\d$/, 'It must be a region, such as eu-central-1.'),
  },
  { path: 'platform.url', text: 'Address of the video platform', problemOf: isUrl },
  {
    path: 'platform.authHeader',
    text: 'Header of its token (X-OPENTOK-AUTH for OpenTok projects)',
    fallback: 'X-SERVICE-AUTH',
    problemOf: matching(/^[\w-]+$/, 'It must be the name of a header.'),
  },
  {
    path: 'platform.projectKey',
    text: 'API key of the platform project',
    isOptional: true,
    problemOf: matching(/^\d+$/, 'It must be a number.'),
  },
  {
    path: 'identity.issuer',
    text: `Issuer of tokens: its address, or ${COGNITO} to create a user pool`,
    problemOf: (answer) => (answer === COGNITO ? undefined : isUrl(answer)),
  },
  { path: 'identity.audience', text: 'Audience of the tokens' },
  {
    path: 'ffmpegLayer',
    text: 'Lambda layer with ffmpeg: its ARN, or a zip file to publish',
    problemOf: matching(
      /^arn:[\w-]+:lambda:[\w-]+:\d{12}:layer:[\w-]+:\d+$|\.zip$/,
      'It must be the ARN of a version, or the path of a .zip file.',
    ),
  },
  {
    path: 'alarms.email',
    text: 'Address that alarms are mailed to',
    isOptional: true,
    problemOf: matching(/^[^\s@]+@[^\s@]+$/, 'It must be an email address.'),
  },
]

/**
 * Asks for the settings that cannot be guessed. An empty answer keeps the present value, and a wrong one is asked for again.
 * @returns the document with the answers; everything else in it stays
 */
export async function askSettings(
  document: SettingsDocument,
  ask: Ask,
  defaults: Readonly<Record<string, string | undefined>> = {},
): Promise<SettingsDocument> {
  let changed = document
  for (const question of settingsQuestions) {
    if (question.path === 'identity.audience' && valueAt(changed, 'identity.issuer') === COGNITO) continue
    const present = valueAt(document, question.path)
    const own = present !== undefined && !PLACEHOLDER.test(present) ? present : undefined
    const answer = await answerTo(question, own ?? defaults[question.path] ?? question.fallback, ask)
    changed = withValue(changed, question.path.split('.'), answer)
  }
  return changed
}

async function answerTo(
  { text, isOptional, problemOf }: SettingsQuestion,
  fallback: string | undefined,
  ask: Ask,
): Promise<string | undefined> {
  const hint = fallback ?? (isOptional ? 'none' : 'needed')
  for (let problem = ''; ; ) {
    const typed = (await ask(`${problem}${text} (${hint}): `)).trim()
    if (isOptional && (typed === '-' || (typed === '' && fallback === undefined))) return undefined
    const answer = typed === '' ? fallback : typed
    const wrong = answer === undefined ? 'It is needed.' : problemOf?.(answer)
    if (wrong === undefined) return answer
    problem = `${wrong} `
  }
}

/** Returns the text at a path of the settings. */
export function valueAt(document: SettingsDocument, path: string): string | undefined {
  const value = path
    .split('.')
    .reduce<unknown>((inner, name) => (inner as SettingsDocument | undefined)?.[name], document)
  return value === undefined ? undefined : String(value)
}

/** Returns a copy of the settings with another value at a path. Undefined removes it. */
export function withValue(
  document: SettingsDocument,
  [name = '', ...rest]: readonly string[],
  value: string | undefined,
): SettingsDocument {
  const { [name]: present, ...others } = document
  if (rest.length > 0) {
    const inner = withValue((present as SettingsDocument | undefined) ?? {}, rest, value)
    return Object.keys(inner).length === 0 ? others : { ...document, [name]: inner }
  }
  return value === undefined ? others : { ...document, [name]: value }
}
