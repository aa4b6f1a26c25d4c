import { createSecretSearch, type SearchedSecret } from '../../../local/simulation/environment/secret-search.ts'

/** The secrets of a test file, and its output. */
export interface Secrecy {
  /** Registers a secret value, also for earlier output. */
  keep(name: string, value: unknown): void
  /** Registers the secrets of a stored file, by its name: every version of each secret, and every access key. */
  keepFile(file: string, content: unknown): void
  /** Returns all secrets. */
  secrets(): Iterable<SearchedSecret>
  /** Records output at a place, for example `the console`. */
  show(place: string, text: string): void
  /** Returns the leaks by place, test name and name of the secret, never by value, and clears the recorded output. */
  takeLeaks(): string[]
  /** Removes all secrets. */
  forget(): void
}

/** Members of secrets that are identifiers. Those that end with `.for` are destinations. */
const IDS: ReadonlySet<string> = new Set(['apiKey', 'accessKeyId', 'version'])

interface KeptSecret {
  readonly name: string
  readonly versions?: readonly { readonly value?: string }[]
}

/** Parses the JSON of a secret; other texts are returned as they are. */
function fieldsOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * Creates the record of a test file.
 * @param testName returns the current test’s name; empty between tests
 */
export function createSecrecy(testName: () => string): Secrecy {
  const secrets = new Map<string, SearchedSecret>()
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
