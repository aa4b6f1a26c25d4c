import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { createSecretSearch, type SearchedSecret } from '../../../local/simulation/environment/secret-search.ts'

/** Patterns of values. Code names the parts of secrets everywhere, so only values are searched. */
const VALUES: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['an access key', /\b(AKIA|ASIA)[0-9A-Z]{16}\b/],
  [
    'a secret with its value',
    /\\*"(secret|password|apiSecret|secretAccessKey|secretKey|privateKey)\\*" *: *\\*"[^"\\{$#]{8,}/i,
  ],
]
/** Forms of secrets of the platform and IAM. Code has similar digests, and templates ids that end in eight digits. */
const DIGITS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['40 digits', /(?<![0-9A-Za-z])[0-9a-f]{40}(?![0-9A-Za-z])/],
  [
    '40 characters of base64',
    /"(?=[^"]*[a-z])(?=[^"]*[A-Z])(?=([^"]*[0-9]){3})(?![A-Za-z]*[0-9A-F]{8}")[A-Za-z0-9+/]{40}"/,
  ],
]

/** Finds these secrets, and values of their forms, in the files of a folder. */
export function secretsInFolder(folder: string, secrets: readonly SearchedSecret[]): string[] {
  const search = createSecretSearch(secrets)
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.flatMap((file) => {
    const path = join(file.parentPath, file.name)
    const text = readFileSync(path, 'latin1')
    const patterns = /\.(mjs|js)$/.test(basename(path)) ? VALUES : [...VALUES, ...DIGITS]
    const found = [...search(text), ...patterns.filter(([, pattern]) => pattern.test(text)).map(([name]) => name)]
    return found.map((name) => `${relative(folder, path)} shows ${name}`)
  })
}
