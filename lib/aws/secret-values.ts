import type { GetSecretValueCommandOutput, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'

/** The values of secrets that went through this process: nothing that it writes may show one. */
export interface SecretValues {
  /** Notes what this client reads and writes from now on. */
  watch(client: SecretsManagerClient): SecretsManagerClient
  /** The text, with `[secret]` in the place of every one of them. */
  removeFrom(text: string): string
}

/** Characters; a shorter one cannot be told from other words. */
const MIN = 8

/** Members of secrets that only say whose they are, and are part of keys and addresses. */
const IDS: ReadonlySet<string> = new Set(['apiKey', 'accessKeyId'])

export function createSecretValues(): SecretValues {
  const values = new Set<string>()
  const note = (text: string | undefined) => {
    for (const value of valuesIn(text)) {
      values.add(value)
      values.add(JSON.stringify(value).slice(1, -1)) // as it stands in a line of JSON
    }
  }
  return {
    watch(client) {
      client.middlewareStack.add(
        (next) => async (args) => {
          note((args.input as { SecretString?: string }).SecretString)
          const answer = await next(args)
          note((answer.output as GetSecretValueCommandOutput).SecretString)
          return answer
        },
        { step: 'initialize', name: 'noteSecretValues' },
      )
      return client
    },
    removeFrom: (text) => [...values].reduce((clean, value) => clean.replaceAll(value, '[secret]'), text),
  }
}

/** All texts in the JSON of a secret but ids, or the whole when it is no JSON. */
function valuesIn(text = ''): string[] {
  const found: string[] = []
  const visit = (value: unknown, name = ''): void => {
    if (typeof value === 'object' && value !== null) for (const [key, inner] of Object.entries(value)) visit(inner, key)
    else if (typeof value === 'string' && value.length >= MIN && !IDS.has(name)) found.push(value)
  }
  try {
    visit(JSON.parse(text))
  } catch {
    visit(text)
  }
  return found
}
