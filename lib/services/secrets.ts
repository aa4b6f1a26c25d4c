import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import type { z } from 'zod'
import { ServiceError, TaskConfigError } from '../workflow/errors.ts'

/** Secrets by id, each a JSON object. Good ones are kept for the life of the function unless `fresh` asks anew. */
export interface Secrets {
  /**
   * @throws TaskConfigError when the secret is missing, out of reach or not of the expected shape; the message never shows
   *   its value
   * @throws ServiceError when Secrets Manager does not answer as it should
   */
  read<Schema extends z.ZodType>(id: string, shape: Schema, options?: { fresh?: boolean }): Promise<z.output<Schema>>
}

/** What Secrets Manager answers when asking again does not help. */
const DEPLOYMENT_FAULTS: ReadonlySet<string> = new Set([
  'ResourceNotFoundException',
  'AccessDeniedException',
  'DecryptionFailure',
  'InvalidParameterException',
  'InvalidRequestException',
])

export function createSecrets(manager: SecretsManagerClient): Secrets {
  const kept = new Map<string, Promise<string>>()

  const fetchText = async (id: string) => {
    try {
      const answer = await manager.send(new GetSecretValueCommand({ SecretId: id }))
      return answer.SecretString ?? ''
    } catch (cause) {
      kept.delete(id)
      const { name } = cause as Error
      if (!DEPLOYMENT_FAULTS.has(name))
        throw new ServiceError(`Secrets Manager failed while reading ${id} (${name}).`, { cause })
      throw new TaskConfigError(`The secret ${id} cannot be read (${name}): check that it is there and granted.`, {
        cause,
      })
    }
  }

  return {
    async read(id, shape, { fresh = false } = {}) {
      if (fresh || !kept.has(id)) kept.set(id, fetchText(id))
      const parsed = shape.safeParse(parseJson((await kept.get(id)) ?? ''))
      if (parsed.success) return parsed.data
      kept.delete(id) // it may be corrected while this function lives
      const fields = parsed.error.issues.map(({ path }) => path.join('.') || 'the whole').join(', ')
      throw new TaskConfigError(`The secret ${id} is not of the expected form (${fields}): correct its value.`)
    },
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // the caller names the secret; the text must not reach a message
  }
}
