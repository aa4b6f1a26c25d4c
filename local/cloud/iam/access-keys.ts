import { AwsError } from '../endpoint/aws-json.ts'
import { openPrivateFile } from '../endpoint/private-file.ts'

export interface AccessKey {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** A key of a user of the stack. */
export interface UserKey extends AccessKey {
  readonly user: string
  readonly status: KeyStatus
  /** Milliseconds since the epoch. */
  readonly created: number
}

export type KeyStatus = 'Active' | 'Inactive'

/** The access keys of this cloud: whoever signs with one of them may do everything, since there is no IAM here. */
export interface AccessKeys {
  /**
   * The key of that name; the same one in every later life of the directory. One that was deleted is returned all the same,
   * as what refers to it in a template keeps it, and opens nothing.
   * @param user whose key it is; absent for one of whoever runs the cloud
   */
  make(name: string, user?: string): AccessKey
  /** Undefined for a key that is inactive, deleted or never was. */
  secretOf(accessKeyId: string): string | undefined
  /** Makes another key for a user. @throws AwsError LimitExceeded when there are two */
  add(user: string): UserKey
  /** @throws AwsError NoSuchEntity, as the next one does */
  setStatus(user: string, accessKeyId: string, status: KeyStatus): void
  remove(user: string, accessKeyId: string): void
  /** In the order they were made. */
  list(user: string): UserKey[]
}

interface KeptKey extends AccessKey {
  user?: string
  status?: KeyStatus | 'Deleted'
  created?: number
}

/** IAM quotas, "Access keys assigned to an IAM user". */
const MAX_KEYS = 2

export interface AccessKeysOptions {
  /** Absent: in memory. */
  readonly directory: string | undefined
  /** So many hexadecimal digits. */
  readonly randomHex: (digits: number) => string
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

export function createAccessKeys({ directory, randomHex, now }: AccessKeysOptions): AccessKeys {
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
    make(name, user) {
      const known = Object.hasOwn(byName, name) ? byName[name] : undefined
      if (known && user !== undefined && known.user !== user) set(known, { user }) // of before there were users
      return known ?? keep(name, user)
    },
    secretOf(id) {
      const key = byId.get(id)
      return key?.status === undefined || key.status === 'Active' ? key?.secretAccessKey : undefined
    },
    add(user) {
      if (keysOf(user).length >= MAX_KEYS)
        throw new AwsError('LimitExceeded', `Cannot exceed quota for AccessKeysPerUser: ${MAX_KEYS}`, 409)
      return toUserKey(keep(undefined, user))
    },
    setStatus: (user, id, status) => set(find(user, id), { status }),
    remove: (user, id) => set(find(user, id), { status: 'Deleted' }),
    list: (user) => keysOf(user).map(toUserKey),
  }
}
