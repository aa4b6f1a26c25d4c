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

/**
 * Finds all forms in one pass over the text. It looks at the last three of eight characters, and skips as many as no form
 * begins with (Wu and Manber, "A fast algorithm for multi-pattern searching", 1994).
 */
function createScan(forms: Forms): Find {
  const wanted = Map.groupBy(forms, ([form]) => form.slice(0, MIN))
  /** Characters to skip, by the hash of three. */
  const skips = new Uint8Array(HASHES).fill(MIN - BLOCK + 1)
  for (const [form] of forms)
    for (let end = BLOCK - 1; end < MIN; end++) {
      const hash = hashAt(form, end)
      skips[hash] = Math.min(skips[hash] ?? 0, MIN - 1 - end)
    }
  return (text) => {
    const found = new Set<string>()
    for (let end = MIN - 1; end < text.length; ) {
      const skip = skips[hashAt(text, end)] ?? 0
      end += skip || 1
      if (skip > 0) continue
      const start = end - MIN
      for (const [form, name] of wanted.get(text.slice(start, end)) ?? [])
        if (text.startsWith(form, start)) found.add(name)
    }
    return found
  }
}

const HASHES = 2 ** 16
const BLOCK = 3

/** Hashes the three characters that end at an index. */
const hashAt = (text: string, end: number): number =>
  ((text.charCodeAt(end - 2) * 67 + text.charCodeAt(end - 1)) * 67 + text.charCodeAt(end)) & (HASHES - 1)

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
