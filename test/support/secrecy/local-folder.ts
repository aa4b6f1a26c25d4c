import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createSecretSearch } from '../../../local/simulation/environment/secret-search.ts'
import { createSecrecy } from './secrecy.ts'

const SECRETS = 'cloud/secrets.json'
const ACCESS_KEYS = 'cloud/access-keys.json'
/** Where secrets belong: Secrets Manager, IAM, and the platform. */
const isMeant = (path: string) => path === SECRETS || path === ACCESS_KEYS || path.startsWith('sandbox/')

/**
 * What the folder of a laptop shows of the secrets that it keeps, in its log or in anything else that it stores, once the
 * laptop is closed: while it runs a file there lets whoever runs it in.
 */
export function leaksOfLocalFolder(directory: string): string[] {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)))
  const search = createSecretSearch(keptIn(directory))
  return files
    .filter((path) => !isMeant(path))
    .flatMap((path) => search(readFileSync(join(directory, path), 'latin1')).map((name) => `${path} shows ${name}`))
}

function keptIn(directory: string) {
  const { keepFile, secrets } = createSecrecy(() => '')
  for (const name of [SECRETS, ACCESS_KEYS])
    keepFile(name.replace('cloud/', ''), JSON.parse(readFileSync(join(directory, name), 'utf8')))
  return secrets()
}
