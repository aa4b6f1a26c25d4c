import { SFNClient } from '@aws-sdk/client-sfn'
import { readSettings } from '../../../../lib/constructs/deploy/settings.ts'
import type { Ask } from '../../../init/answers.ts'
import { disposable } from '../../../local/aws-access.ts'
import { checkLayerZip, publishLayer } from './publish-layer.ts'
import { readSettingsFile, writeSettings } from './settings-file.ts'
import { askSettings, COGNITO, type SettingsDocument, valueAt, withValue } from './settings-questions.ts'
import { createUserPool } from './user-pool.ts'

export interface GuideOptions {
  /** Path of the settings file. */
  readonly path: string
  /** Default answers by the path of the setting. */
  readonly defaults: Readonly<Record<string, string | undefined>>
  /** Lets `act` ask questions. */
  readonly inTerminal: <Result>(act: (ask: Ask) => Promise<Result>) => Promise<Result>
  readonly report: (line: string) => void
  /** Returns why there are no AWS credentials, or undefined. */
  readonly credentialsProblem: (region: string) => Promise<string | undefined>
  /** @default a client of AWS, whose signer requests Lambda and Cognito */
  readonly connect?: (region: string) => SFNClient
}

const NOTHING = 'Nothing was written.'
const UNCHANGED = 'The settings file is unchanged.'

/**
 * Asks for the settings that cannot be guessed, and publishes the layer and creates the user pool if asked to. Writes the
 * settings file after each, so that the next run does not create it again.
 * @returns the settings that were written
 * @throws Error when an answer is not valid or AWS refuses; the settings file then has only what was created before
 */
export async function guideSettings(options: GuideOptions): Promise<SettingsDocument> {
  const { path, defaults, inTerminal, report, credentialsProblem } = options
  const file = await readSettingsFile(path)
  const answers = await inTerminal((ask) => askSettings(file.context?.showrunner ?? {}, ask, defaults))
  const [region = '', layer = ''] = [valueAt(answers, 'region'), valueAt(answers, 'ffmpegLayer')]
  const zip = layer.endsWith('.zip') ? layer : undefined
  const isPoolAsked = valueAt(answers, 'identity.issuer') === COGNITO
  checkAnswers(answers)
  if (region.startsWith('cn-') && (zip !== undefined || isPoolAsked))
    throw new Error(
      `The guide creates no layers or user pools in China (${region}). Answer with the ARN of a layer and the address of an issuer. ${NOTHING}`,
    )
  if (zip !== undefined) await checkLayerZip(zip)
  const problem = zip !== undefined || isPoolAsked ? await credentialsProblem(region) : undefined
  if (problem !== undefined)
    throw new Error(`No AWS credentials were found (${problem}). Log in as for the AWS CLI. ${NOTHING}`)
  const { connect = (region) => new SFNClient({ region }) } = options
  using client = disposable(connect(region))
  let settings = answers
  if (isPoolAsked) settings = withValue(settings, ['identity', 'issuer'], undefined) // incomplete until there is a pool
  if (zip !== undefined) {
    report(`Publishing ${zip} as a layer …`)
    const architecture = valueAt(settings, 'architecture') ?? 'x86_64'
    const arn = await publishLayer(client, { region, path: zip, architecture }).catch(refuse('The layer', UNCHANGED))
    report(`The layer is ${arn}.`)
    settings = withValue(settings, ['ffmpegLayer'], arn)
    if (isPoolAsked) await writeSettings(path, file, settings)
  }
  if (isPoolAsked) {
    report('Creating a user pool …')
    const stage = valueAt(settings, 'stage') ?? ''
    const kept = zip === undefined ? UNCHANGED : `The layer is in ${path}: start the guide again for the user pool.`
    const pool = await createUserPool(client, { region, stage }).catch(refuse('The user pool', kept))
    for (const line of describe(pool, region)) report(line)
    settings = withValue(settings, ['identity', 'issuer'], pool.issuer)
    settings = withValue(settings, ['identity', 'audience'], pool.audience)
  }
  await writeSettings(path, file, settings)
  report(`The settings are in ${path}.`)
  return settings
}

/** Checks the answers with values in place of what is not made yet. @throws Error that names the setting */
function checkAnswers(answers: SettingsDocument): void {
  const isPoolAsked = valueAt(answers, 'identity.issuer') === COGNITO
  const complete = isPoolAsked ? withValue(answers, ['identity', 'issuer'], 'https://cognito-idp.invalid') : answers
  try {
    readSettings(withValue(complete, ['ffmpegLayer'], undefined))
  } catch (cause) {
    throw new Error(`${(cause as Error).message} ${NOTHING}`, { cause })
  }
}

const refuse = (what: string, kept: string) => (cause: Error) => {
  throw new Error(`${what} was not created: ${cause.message} ${kept}`, { cause })
}

/** Says how an event app gets a token. The secret stays in Cognito. */
const describe = ({ poolId, audience, tokenUrl }: Awaited<ReturnType<typeof createUserPool>>, region: string) => [
  `The user pool is ${poolId}. An event app requests tokens at ${tokenUrl}`,
  `with the client ${audience} and the scope showrunner/operator. This prints the secret of the client:`,
  `  aws cognito-idp describe-user-pool-client --region ${region} --user-pool-id ${poolId} --client-id ${audience} --query UserPoolClient.ClientSecret`,
]
