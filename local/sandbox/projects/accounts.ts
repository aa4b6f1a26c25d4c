import { limits } from '../../../lib/platform/contract/limits.ts'
import type { SandboxParts } from '../parts.ts'
import type { AccountRecord, ProjectRecord } from '../state/records.ts'

/** Key and secret of a project; `apiKey` is numeric and fits 32 bits. */
export interface Credentials {
  readonly apiKey: string
  readonly apiSecret: string
}

/** Key and secret of the account, which sign the operations on projects. */
export interface AccountCredentials {
  readonly accountKey: string
  readonly accountSecret: string
}

/** The sandbox's one account and its projects. */
export type Accounts = ReturnType<typeof createAccounts>

export function createAccounts({
  store,
  ids,
  now,
  transitions,
}: Pick<SandboxParts, 'store' | 'ids' | 'now' | 'transitions'>) {
  /** Returns a key that belongs to no project and not to the account. */
  function unusedKey(): string {
    const key = ids.apiKey()
    return store.projects.get(key) || store.accounts.get(key) ? unusedKey() : key
  }
  const begin = (id: string, secret: string, fields: Partial<ProjectRecord> = {}) =>
    transitions.projects.begin({ id, secret, name: '', createdAt: now(), ...fields })

  return {
    openAccount(): AccountRecord {
      const [kept] = store.accounts.find()
      if (kept) return kept
      const account = { id: unusedKey(), secret: ids.hex(20) }
      store.accounts.insert(account)
      return account
    },
    /** Returns the given project, else the oldest stored one, else a new one. Its key can be used at once. */
    openProject(given: Credentials | undefined): ProjectRecord {
      const kept = given ? store.projects.get(given.apiKey) : store.projects.find()[0]
      if (!kept) return begin(given?.apiKey ?? unusedKey(), given?.apiSecret ?? ids.hex(20))
      const project = { ...completed(kept), secret: given?.apiSecret ?? kept.secret }
      store.projects.replace(project)
      return project
    },
    /** Creates a project whose key can be used after a minute: the longest that the platform takes. */
    createProject: (name: string) =>
      begin(unusedKey(), ids.hex(20), { name, usableFrom: now() + limits.projectAvailability.value * 1000 }),
    /** Replaces a project's secret. Tokens signed with the old one are refused at once. */
    refreshSecret: (apiKey: string) => store.projects.update(apiKey, { secret: ids.hex(20), updatedAt: now() }),
  }
}

/** Adds the fields that records from before accounts lack. */
function completed(kept: Partial<ProjectRecord> & Pick<ProjectRecord, 'id' | 'secret' | 'createdAt'>): ProjectRecord {
  return { name: '', status: 'ACTIVE', updatedAt: kept.createdAt, ...kept }
}
