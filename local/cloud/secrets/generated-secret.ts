import { parseObject } from '../endpoint/aws-json.ts'

/** The supported options of CloudFormation’s GenerateSecretString. */
export const GENERATE_OPTIONS = ['PasswordLength', 'ExcludePunctuation', 'SecretStringTemplate', 'GenerateStringKey']

export interface GenerateOptions {
  /** Length, 1 to 4,096. @default 32 */
  readonly PasswordLength?: number
  readonly ExcludePunctuation?: boolean
  /** A JSON object as text, in which the password is inserted under `GenerateStringKey`. */
  readonly SecretStringTemplate?: string
  readonly GenerateStringKey?: string
}

const ALPHABETS = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789']
/** GetRandomPassword, "ExcludePunctuation". */
const PUNCTUATION = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'

/**
 * Generates a password as Secrets Manager does, with a character of each kind if it is long enough.
 * @param randomHex returns hexadecimal digits
 * @throws Error naming the invalid option
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

/** @param below returns a number from 0 to `end`, exclusive */
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
  const template = parseObject(text)
  if (!template) throw new Error('SecretStringTemplate must be a JSON object as text.')
  return template
}
