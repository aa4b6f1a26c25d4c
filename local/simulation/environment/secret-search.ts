/** A secret value, and a name that may be shown. */
export interface SearchedSecret {
  readonly name: string
  readonly value: string
}

export type SecretSearch = (text: string) => string[]

/** Minimum characters of a secret: a shorter one cannot be distinguished from other words. */
const MIN = 8

/** Credentials that are recognized by their form. */
const FORMS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['a token', /\beyJ[\w-]{8,}\.[\w-]{8,}/],
  ['a client token', /\bT1==[\w+/=-]{16,}/],
  ['a signed address', /X-Amz-Signature=|[?&]signature=/i],
  ['a signature of a request to AWS', /\bAWS4-HMAC-SHA256 Credential=.*Signature=[0-9a-f]{64}/],
  ['a private key', /-----BEGIN [A-Z ]*PRIVATE KEY-----(\s|\\n)*[\w+/=]{16}/],
]

/** Creates a search for secrets in plain, JSON, URL-encoded and base64 form. */
export function createSecretSearch(secrets: Iterable<SearchedSecret>): SecretSearch {
  const forms = formsOf(secrets)
  const find = forms.size > FEW ? createScan(forms) : findEach(forms)
  return (text) => [...find(text), ...FORMS.filter(([, pattern]) => pattern.test(text)).map(([name]) => name)]
}

type Find = (text: string) => Set<string>
type Forms = ReadonlyMap<string, string>

/** Maximum number of forms for which a search one by one is faster than a scan. */
const FEW = 20

const findEach =
  (forms: Forms): Find =>
  (text) =>
    new Set([...forms].filter(([form]) => text.includes(form)).map(([, name]) => name))

/** Finds all forms in one pass over the text. */
function createScan(forms: Forms): Find {
  const wanted = new Map<number, [form: string, name: string][]>()
  const hasBeginning = new Uint8Array(HASHES)
  for (const [form, name] of forms) {
    const beginning = hashAt(form, 0)
    hasBeginning[beginning] = 1
    const same = wanted.get(beginning)
    if (same) same.push([form, name])
    else wanted.set(beginning, [[form, name]])
  }
  return (text) => {
    const found = new Set<string>()
    for (let at = 0; at <= text.length - MIN; at++) {
      const beginning = hashAt(text, at)
      if (hasBeginning[beginning] === 0) continue
      for (const [form, name] of wanted.get(beginning) ?? []) if (text.startsWith(form, at)) found.add(name)
    }
    return found
  }
}

const HASHES = 2 ** 16

/** Hashes the first six characters, which every form has. */
const hashAt = (text: string, at: number): number =>
  ((text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) * 131 +
    (text.charCodeAt(at + 2) * 37 + text.charCodeAt(at + 3)) * 17 +
    (text.charCodeAt(at + 4) * 7 + text.charCodeAt(at + 5)) * 257) &
  (HASHES - 1)

/** Returns the forms of all secrets, each with the name of the first secret of that value. */
function formsOf(secrets: Iterable<SearchedSecret>): Map<string, string> {
  const forms = new Map<string, string>()
  for (const { name, value } of secrets) {
    if (value.length < MIN) continue
    const all = [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value), ...base64Of(value)]
    for (const form of all) if (!forms.has(form)) forms.set(form, name)
  }
  return forms
}

/** Returns the base64 of the value at each of the three offsets in a text: three bytes become four characters. */
function base64Of(value: string): string[] {
  const bytes = Buffer.from(value)
  return [0, 1, 2]
    .map((before) => {
      const whole = Math.floor((before + bytes.length) / 3) * 4
      return Buffer.concat([Buffer.alloc(before), bytes])
        .toString('base64')
        .slice(before === 0 ? 0 : 4, whole)
    })
    .filter((form) => form.length >= MIN)
}
