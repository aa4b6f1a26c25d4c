import { vi } from 'vitest'
import { secrecy } from './per-file.ts'

/** Files without secrets. */
const STORED: ReadonlySet<string> = new Set(['queues.json', 'schedules.json', 'custom-resources.json'])

/**
 * Registers every secret where it is created or put: in the local Secrets Manager and IAM, the sandbox, and test
 * worlds. The replaced modules behave as before.
 */
vi.mock(import('../../../local/cloud/endpoint/private-file.ts'), async (importOriginal) => {
  const original = await importOriginal()
  return {
    ...original,
    openPrivateFile(directory, name, initial) {
      const file = original.openPrivateFile(directory, name, initial)
      const look = () => {
        secrecy.keepFile(name, file.content)
        if (STORED.has(name)) secrecy.show(name, JSON.stringify(file.content))
      }
      look()
      return {
        content: file.content,
        save() {
          look()
          file.save()
        },
      }
    },
  }
})

vi.mock(import('../../../local/cloud/s3/s3.ts'), async (importOriginal) => {
  const original = await importOriginal()
  return {
    ...original,
    createS3: (options) =>
      original.createS3({
        ...options,
        secretOf(accessKeyId) {
          const secret = options.secretOf(accessKeyId)
          secrecy.keep('a secret access key', secret)
          return secret
        },
      }),
  }
})

vi.mock(import('../../../local/sandbox/projects/accounts.ts'), async (importOriginal) => {
  const original = await importOriginal()
  const keeping =
    <Args extends unknown[], Kept extends { readonly secret: string }>(name: string, make: (...args: Args) => Kept) =>
    (...args: Args) => {
      const made = make(...args)
      secrecy.keep(name, made.secret)
      return made
    }
  return {
    ...original,
    createAccounts(parts) {
      const { openAccount, openProject, createProject, refreshSecret } = original.createAccounts(parts)
      return {
        openAccount: keeping('the secret of the account', openAccount),
        openProject: keeping('the secret of a project', openProject),
        createProject: keeping('the secret of a project', createProject),
        refreshSecret: keeping('the secret of a project', refreshSecret),
      }
    },
  }
})

vi.mock(import('../../../lib/platform/client/client.ts'), async (importOriginal) => {
  const original = await importOriginal()
  return {
    ...original,
    createPlatformClient(options) {
      secrecy.keep('the secret of a platform client', options.apiSecret)
      return original.createPlatformClient(options)
    },
  }
})
