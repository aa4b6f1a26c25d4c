import { AwsError } from '../endpoint/aws-json.ts'
import { openPrivateFile } from '../endpoint/private-file.ts'

export interface AccessKey {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export interface UserKey extends AccessKey {
  readonly user: string
  readonly status: KeyStatus
  /** Milliseconds since the epoch. */
  readonly created: number
}

export type KeyStatus = 'Active' | 'Inactive'

/** The access keys of this cloud. Every active key may do everything, since policies are not evaluated. */
export type IamAccessKeys = ReturnType<typeof createIamAccessKeys>

interface KeptKey extends AccessKey {
  user?: string
  status?: KeyStatus | 'Deleted'
  created?: number
}

/** IAM quotas, "Access keys assigned to an IAM user". */
const MAX_KEYS = 2

export interface AccessKeysOptions {
  /** Directory of the keys. @default in memory */
  readonly directory: string | undefined
  /** Returns hexadecimal digits. */
  readonly randomHex: (digits: number) => string
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

export function createIamAccessKeys({ directory, randomHex, now }: AccessKeysOptions) {
  const { content: byName, save } = openPrivateFile<Record<string, KeptKey>>(directory, 'access-keys.json', {})
  const byId = new Map(Object.values(byName).map((key) => [key.accessKeyId, key]))

  const keep = (name: string | undefined, user: string | undefined): KeptKey => {
    const accessKeyId = `AKIA${randomHex(16).toUpperCase()}`
    const key = { accessKeyId, secretAccessKey: randomHex(40), created: now(), ...(user !== undefined && { user }) }
    byName[name ?? accessKeyId] = key
    byId.set(accessKeyId, key)
    save()
    return key
  }
  const keysOf = (user: string) => Object.values(byName).filter((key) => key.user === user && key.status !== 'Deleted')
  const find = (user: string, accessKeyId: string): KeptKey => {
    const key = keysOf(user).find((one) => one.accessKeyId === accessKeyId)
    if (key) return key
    throw new AwsError('NoSuchEntity', `The Access Key with id ${accessKeyId} cannot be found.`, 404)
  }
  const toUserKey = (key: KeptKey): UserKey => {
    const { accessKeyId, secretAccessKey, user = '', status, created = 0 } = key
    return { accessKeyId, secretAccessKey, user, status: status === 'Inactive' ? status : 'Active', created }
  }
  const set = (key: KeptKey, changes: Partial<KeptKey>) => {
    Object.assign(key, changes)
    save()
  }

  return {
    /**
     * Returns the key of that name, the same one after a restart. A deleted key is still returned, since the template may
     * refer to it, but is not accepted.
     * @param user owner of the key; absent for the cloud’s user
     */
    make(name: string, user?: string): AccessKey {
      const known = Object.hasOwn(byName, name) ? byName[name] : undefined
      if (known && user !== undefined && known.user !== user) set(known, { user }) // stored before keys had users
      return known ?? keep(name, user)
    },
    /** Returns the secret of an active key, else undefined. */
    secretOf(id: string): string | undefined {
      const key = byId.get(id)
      return key?.status === undefined || key.status === 'Active' ? key?.secretAccessKey : undefined
    },
    /** Creates another key for a user. @throws AwsError LimitExceeded when the user has two */
    add(user: string): UserKey {
      if (keysOf(user).length >= MAX_KEYS)
        throw new AwsError('LimitExceeded', `Cannot exceed quota for AccessKeysPerUser: ${MAX_KEYS}`, 409)
      return toUserKey(keep(undefined, user))
    },
    /** @throws AwsError NoSuchEntity, as `remove` does */
    setStatus: (user: string, id: string, status: KeyStatus) => set(find(user, id), { status }),
    remove: (user: string, id: string) => set(find(user, id), { status: 'Deleted' }),
    /** Lists a user’s keys in order of creation. */
    list: (user: string) => keysOf(user).map(toUserKey),
  }
}
