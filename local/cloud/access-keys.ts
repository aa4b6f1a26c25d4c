import { openPrivateFile } from './private-file.ts'

export interface AccessKey {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** The access keys of this cloud: whoever signs with one of them may do everything, since there is no IAM here. */
export interface AccessKeys {
  /** The key of that name; the same one in every later life of the directory. */
  make(name: string): AccessKey
  secretOf(accessKeyId: string): string | undefined
}

/** @param randomHex so many hexadecimal digits */
export function createAccessKeys(directory: string | undefined, randomHex: (digits: number) => string): AccessKeys {
  const { content: byName, save } = openPrivateFile<Record<string, AccessKey>>(directory, 'access-keys.json', {})
  return {
    make(name) {
      const known = Object.hasOwn(byName, name) ? byName[name] : undefined
      if (known) return known
      const made = { accessKeyId: `AKIA${randomHex(16).toUpperCase()}`, secretAccessKey: randomHex(40) }
      byName[name] = made
      save()
      return made
    },
    secretOf: (id) => Object.values(byName).find(({ accessKeyId }) => accessKeyId === id)?.secretAccessKey,
  }
}
