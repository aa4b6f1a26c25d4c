import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import type { z } from 'zod'
import { ServiceError, TaskConfigError } from '../tasks/errors.ts'

export type Secrets = ReturnType<typeof createSecrets>

/** Errors of Secrets Manager that a retry does not cure. */
const DEPLOYMENT_FAULTS: ReadonlySet<string> = new Set([
  'ResourceNotFoundException',
  'AccessDeniedException',
  'DecryptionFailure',
  'InvalidParameterException',
  'InvalidRequestException',
])

/** Creates the access to secrets by id, each a JSON object. Valid values are cached for the life of the function. */
export function createSecrets(manager: SecretsManagerClient) {
  const kept = new Map<string, Promise<string>>()

  const fetchText = async (id: string) => {
    try {
      const answer = await manager.send(new GetSecretValueCommand({ SecretId: id }))
      return answer.SecretString ?? ''
    } catch (cause) {
      kept.delete(id)
      throw unreadable(id, cause)
    }
  }

  return {
    /**
     * Reads a secret, from the cache unless `fresh` is set.
     * @throws {@link TaskConfigError} when the secret is missing, not granted or malformed; the message never shows its value
     * @throws {@link ServiceError} when Secrets Manager fails
     */
    async read<Schema extends z.ZodType>(id: string, shape: Schema, { fresh = false } = {}) {
      if (fresh || !kept.has(id)) kept.set(id, fetchText(id))
      try {
        return parseSecret(id, shape, (await kept.get(id)) ?? '')
      } catch (error) {
        kept.delete(id) // it may be corrected while this function lives
        throw error
      }
    },
    /** Reads the pending value without a cache; undefined unless a rotation has stored it. Throws as `read` does. */
    async readPending<Schema extends z.ZodType>(id: string, shape: Schema) {
      try {
        const answer = await manager.send(new GetSecretValueCommand({ SecretId: id, VersionStage: 'AWSPENDING' }))
        // Secrets Manager may leave the label on a version whose rotation is over.
        const isPending = answer.VersionStages?.every((stage) => stage === 'AWSPENDING') ?? false
        return isPending ? parseSecret(id, shape, answer.SecretString ?? '') : undefined
      } catch (cause) {
        if (cause instanceof ResourceNotFoundException) return undefined
        throw cause instanceof TaskConfigError ? cause : unreadable(id, cause)
      }
    },
    /** Reads the version with a staging label without a cache; `createdAt` in ms since the epoch. Throws as `read` does. */
    async readStage<Schema extends z.ZodType>(id: string, shape: Schema, VersionStage: 'AWSCURRENT' | 'AWSPREVIOUS') {
      const answer = await manager.send(new GetSecretValueCommand({ SecretId: id, VersionStage })).catch((cause) => {
        if (cause instanceof ResourceNotFoundException) return undefined
        throw unreadable(id, cause)
      })
      if (!answer) return undefined
      const value = parseSecret(id, shape, answer.SecretString ?? '')
      return { value, createdAt: answer.CreatedDate?.getTime() ?? 0 }
    },
  }
}

function unreadable(id: string, cause: unknown): TaskConfigError | ServiceError {
  const { name } = cause as Error
  return DEPLOYMENT_FAULTS.has(name)
    ? new TaskConfigError(`The secret ${id} cannot be read (${name}): check that it exists and is granted.`, { cause })
    : new ServiceError(`Secrets Manager failed while reading ${id} (${name}).`, { cause })
}

/** Parses the JSON of a secret. @throws {@link TaskConfigError} that names the invalid fields, never a value */
export function parseSecret<Schema extends z.ZodType>(id: string, shape: Schema, text: string): z.output<Schema> {
  const parsed = shape.safeParse(parseJson(text))
  if (parsed.success) return parsed.data
  const fields = parsed.error.issues.map(({ path }) => path.join('.') || 'the whole').join(', ')
  throw new TaskConfigError(`The secret ${id} is malformed (${fields}): correct its value.`)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // the caller names the secret; the text must not reach a message
  }
}
