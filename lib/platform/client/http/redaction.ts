/** Names of fields with secret values. A server URL may have a stream key. */
const SECRET_FIELD = /secret|key|token|password|username|streamName|serverUrl/i

export const isSecretField = (name: string): boolean => SECRET_FIELD.test(name)

/** Returns the strings of a request in secret fields, at any depth. */
export function secretsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => (isSecretField(name) ? stringsIn(inner) : secretsIn(inner)))
}

/** Returns all strings in a value. The maximum depth prevents a stack overflow. */
export function stringsIn(value: unknown, depth = 100): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || depth === 0) return []
  return Object.values(value).flatMap((inner) => stringsIn(inner, depth - 1))
}

/** Creates a function that removes secrets from a text, escaped or not. @param secrets called only when there is a text */
export function createRedactor(secrets: () => readonly string[]): (text: string) => string {
  let longestFirst: readonly string[] | undefined
  return (text) => {
    longestFirst ??= [...new Set(secrets().flatMap(formsOf))].filter(Boolean).sort((a, b) => b.length - a.length)
    return longestFirst.reduce((clean, secret) => clean.replaceAll(secret, '[redacted]'), text)
  }
}

const formsOf = (secret: string) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]
