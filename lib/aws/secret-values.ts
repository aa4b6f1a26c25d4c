import type { GetSecretValueCommandOutput, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'

export type SecretValues = ReturnType<typeof createSecretValues>

/** A command of Secrets Manager. Only some have a value. */
interface SentCommand {
  readonly input: { readonly SecretString?: string }
}

/** Characters. A shorter value would also match ordinary words. */
const MIN_LENGTH = 8

/** Members of secrets that only identify the owner, and occur in keys and URLs. */
const IDS: ReadonlySet<string> = new Set(['apiKey', 'accessKeyId'])

/** Collects the values of secrets that this process reads or writes. No output may contain them. */
export function createSecretValues() {
  const values = new Set<string>()
  const note = (text: string | undefined) => {
    for (const value of valuesIn(text)) {
      values.add(value)
      values.add(JSON.stringify(value).slice(1, -1)) // as escaped in a line of JSON
    }
  }
  return {
    /** Collects the values that a client reads and writes from now on, and returns the client. */
    watch(client: SecretsManagerClient): SecretsManagerClient {
      const send = client.send.bind(client) as (command: SentCommand, options?: object) => Promise<unknown>
      const watched = async (command: SentCommand, options?: object) => {
        note(command.input.SecretString)
        const answer = await send(command, options)
        note((answer as GetSecretValueCommandOutput).SecretString)
        return answer
      }
      return Object.assign(client, { send: watched as typeof client.send })
    },
    /** Replaces every collected value in a text by `[secret]`. */
    removeFrom: (text: string) => [...values].reduce((clean, value) => clean.replaceAll(value, '[secret]'), text),
  }
}

/** Returns all texts in the JSON of a secret except ids, or the whole text if it is not JSON. */
function valuesIn(text = ''): string[] {
  const found: string[] = []
  const visit = (value: unknown, name = ''): void => {
    if (typeof value === 'object' && value !== null) for (const [key, inner] of Object.entries(value)) visit(inner, key)
    else if (typeof value === 'string' && value.length >= MIN_LENGTH && !IDS.has(name)) found.push(value)
  }
  try {
    visit(JSON.parse(text))
  } catch {
    visit(text)
  }
  return found
}
