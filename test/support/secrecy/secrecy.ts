import { createSecretSearch, type Secret } from '../../../local/simulation/environment/secret-search.ts'

/** What the tests of one file keep secret, and what they show. */
export interface Secrecy {
  /** Keeps a value secret: from now on, and in all that was shown before. */
  keep(name: string, value: unknown): void
  /** Keeps what a file of the laptop's keeps, by the file's name: every version of each secret, and every access key. */
  keepFile(file: string, content: unknown): void
  /** All that is kept secret. */
  secrets(): Iterable<Secret>
  /** Takes what was shown at a place, such as `the console`. */
  show(place: string, text: string): void
  /**
   * What was shown that is secret, by place, name of the test and name of the secret, never by value. It is told once: what
   * was shown until now is forgotten.
   */
  takeLeaks(): string[]
  /** Keeps nothing secret any more. */
  forget(): void
}

/** Members of secrets that only say whose they are; those that end with `.for` say where others may be sent. */
const IDS: ReadonlySet<string> = new Set(['apiKey', 'accessKeyId', 'version'])

interface KeptSecret {
  readonly name: string
  readonly versions?: readonly { readonly value?: string }[]
}

/** Of the JSON of a secret; the whole of one that is none. */
function fieldsOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** @param testName of the test that runs; empty between tests */
export function createSecrecy(testName: () => string): Secrecy {
  const secrets = new Map<string, Secret>()
  const shown = new Map<string, string[]>()

  const keep = (name: string, value: unknown) => {
    if (typeof value === 'string' && !secrets.has(value)) secrets.set(value, { name, value })
  }
  const keepAll = (name: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null) keep(name, value)
    else
      for (const [field, inner] of Object.entries(value))
        if (!IDS.has(field) && !field.endsWith('.for')) keepAll(`${name} ${field}`, inner)
  }
  return {
    keep,
    keepFile(file, content) {
      if (file === 'secrets.json')
        for (const { name, versions = [] } of content as KeptSecret[])
          for (const { value } of versions) if (value !== undefined) keepAll(`the secret ${name}`, fieldsOf(value))
      if (file === 'access-keys.json')
        for (const { secretAccessKey } of Object.values(content as Record<string, { secretAccessKey: string }>))
          keep('a secret access key', secretAccessKey)
    },
    secrets: () => secrets.values(),
    show(place, text) {
      const where = `${place}, in “${testName() || 'no test'}”`
      const texts = shown.get(where)
      if (texts) texts.push(text)
      else shown.set(where, [text])
    },
    takeLeaks() {
      const search = createSecretSearch(secrets.values())
      const leaks = [...shown].flatMap(([where, texts]) =>
        search(texts.join('\n')).map((name) => `${where}, shows ${name}`),
      )
      shown.clear()
      return leaks
    },
    forget: () => secrets.clear(),
  }
}
