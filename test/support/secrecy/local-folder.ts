import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createSecretSearch } from '../../../local/simulation/environment/secret-search.ts'
import { createSecrecy } from './secrecy.ts'

const SECRETS = 'cloud/secrets.json'
const ACCESS_KEYS = 'cloud/access-keys.json'
/** Key that signs the tokens of the API. */
const ISSUER = 'cloud/issuer.json'
/** Returns true for files that may have secrets: of Secrets Manager, IAM, the issuer and the platform. */
const isMeant = (path: string) => [SECRETS, ACCESS_KEYS, ISSUER].includes(path) || path.startsWith('sandbox/')

/**
 * Finds stored secrets in the logs and other files of a local folder. Call it after closing: while it runs, a file has
 * a token of its user.
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
