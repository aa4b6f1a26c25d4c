/** The options of CloudFormation's GenerateSecretString that are known here; any other is refused. */
export const GENERATE_OPTIONS = ['PasswordLength', 'ExcludePunctuation', 'SecretStringTemplate', 'GenerateStringKey']

export interface GenerateOptions {
  /** 1 to 4,096; 32 by default. */
  readonly PasswordLength?: number
  readonly ExcludePunctuation?: boolean
  /** A JSON object as text, into which the password is put under `GenerateStringKey`. */
  readonly SecretStringTemplate?: string
  readonly GenerateStringKey?: string
}

const ALPHABETS = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789']
/** GetRandomPassword, "ExcludePunctuation". */
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'

/**
 * Makes a password as Secrets Manager does, with a character of each kind in it where there is room for them.
 * @param randomHex so many hexadecimal digits
 * @throws Error saying which option is wrong
 */
export function generateSecret(options: GenerateOptions, randomHex: (digits: number) => string): string {
  const { PasswordLength: length = 32, SecretStringTemplate: template, GenerateStringKey: key } = options
  if (!Number.isInteger(length) || length < 1 || length > 4096)
    throw new Error('PasswordLength must be a whole number from 1 to 4096.')
  if ((template === undefined) !== (key === undefined))
    throw new Error('SecretStringTemplate and GenerateStringKey belong together.')
  const alphabets = options.ExcludePunctuation ? ALPHABETS : [...ALPHABETS, PUNCTUATION]
  const password = makePassword(length, alphabets, (end) => Number.parseInt(randomHex(8), 16) % end)
  if (template === undefined || key === undefined) return password
  return JSON.stringify({ ...readTemplate(template), [key]: password })
}

/** @param below a number from 0 up to `end`, which is left out */
function makePassword(length: number, alphabets: readonly string[], below: (end: number) => number): string {
  const pick = (alphabet: string) => alphabet[below(alphabet.length)] as string
  const ofEachKind = length < alphabets.length ? [] : alphabets.map(pick)
  const rest = Array.from({ length: length - ofEachKind.length }, () => pick(alphabets.join('')))
  const characters = [...ofEachKind, ...rest]
  for (let last = length - 1; last > 0; last--) {
    const other = below(last + 1)
    ;[characters[last], characters[other]] = [characters[other] as string, characters[last] as string]
  }
  return characters.join('')
}

function readTemplate(text: string): object {
  try {
    const template: unknown = JSON.parse(text)
    if (template !== null && typeof template === 'object' && !Array.isArray(template)) return template
  } catch {
    // refused as whatever else is no object
  }
  throw new Error('SecretStringTemplate must be a JSON object as text.')
}
