/** Names of fields whose values must not be repeated; a server URL may carry its stream key. */
const SECRET_FIELD = /secret|key|token|password|username|streamName|serverUrl/i

export const isSecretField = (name: string): boolean => SECRET_FIELD.test(name)

/** The strings in a request that are secret by the name of their field, at any depth. */
export function secretsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => (isSecretField(name) ? stringsIn(inner) : secretsIn(inner)))
}

/** All strings in a value, to a depth that no sensible value reaches and no stack overflows at. */
export function stringsIn(value: unknown, depth = 100): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || depth === 0) return []
  return Object.values(value).flatMap((inner) => stringsIn(inner, depth - 1))
}

/**
 * Makes a function that blots secrets out of a text, also where they appear escaped for JSON or for a URL.
 * @param secrets asked for when there is a text, as most calls end without one
 */
export function createRedactor(secrets: () => readonly string[]): (text: string) => string {
  return (text) => {
    const forms = secrets().flatMap((secret) => [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret),
    ])
    const longestFirst = [...new Set(forms)].filter(Boolean).sort((a, b) => b.length - a.length)
    return longestFirst.reduce((clean, secret) => clean.replaceAll(secret, '[redacted]'), text)
  }
}
