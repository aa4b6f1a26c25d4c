import { parseReference, type SecretReference } from '../../../lib/show/document/secret-reference.ts'
import type { Random } from '../scheduling/random.ts'
import { createDraws, type Draws } from './draws.ts'

const NAMES = ['stream-keys', 'sip/main', 'crm@2030']
const KEYS = ['main', 'backup', 'Password_1', 'token.v2']

export const randomReference = ({ oneOf }: Draws): SecretReference => ({ secret: `${oneOf(NAMES)}#${oneOf(KEYS)}` })

/** The secret that signs callbacks. It is never missing, since the owner is notified under every fault. */
export const callbackReference: SecretReference = { secret: 'apps#callback' }

/** Secrets of shows: their JSON objects by name. */
export type GeneratedSecrets = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Draws a value for each secret that a document refers to, long enough to search for. One in fifty is missing. */
export function randomSecrets(random: Random, document: unknown, { missing = 0.02 } = {}): GeneratedSecrets {
  const { chance } = createDraws(random)
  const secrets: Record<string, Record<string, string>> = {}
  const references = new Map(referencesIn(document).map((reference) => [reference.secret, reference]))
  const isThere = ({ secret }: SecretReference) => secret === callbackReference.secret || !chance(missing)
  for (const reference of [...references.values()].filter(isThere)) {
    const { name, key } = parseReference(reference)
    secrets[name] = { ...secrets[name], [key]: `hidden-secret-${random.hex(24)}` }
  }
  return secrets
}

/** Adds a value for each secret of a document that is missing: the API refuses a show without it. */
export function withEverySecret(document: unknown, secrets: GeneratedSecrets): GeneratedSecrets {
  const whole: Record<string, Readonly<Record<string, string>>> = { ...secrets }
  for (const { name, key } of referencesIn(document).map(parseReference))
    whole[name] = { [key]: ABSENT, ...whole[name] }
  return whole
}
/** The value of a secret that is deleted once the show is accepted, long enough for callbacks. */
const ABSENT = 'deleted-after-the-show-was-accepted'

/** Returns every server that a document sends to, as the bindings of its secrets list them. */
export function destinationsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    if (typeof inner !== 'string') return destinationsIn(inner)
    return ['serverUrl', 'uri', 'url'].includes(name) ? [inner.replace(/[;?].*/, '')] : []
  })
}

function referencesIn(value: unknown): SecretReference[] {
  if (typeof value !== 'object' || value === null) return []
  if ('secret' in value && typeof value.secret === 'string') return [{ secret: value.secret }]
  return Object.values(value).flatMap(referencesIn)
}
