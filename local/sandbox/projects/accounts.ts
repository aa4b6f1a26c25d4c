import { limits } from '../../../lib/platform/contract/limits.ts'
import type { Ids } from '../state/ids.ts'
import type { AccountRecord, ProjectRecord } from '../state/records.ts'
import type { Store } from '../state/store.ts'
import type { AllTransitions } from '../state/transitions.ts'

/** `apiKey` is numeric and fits 32 bits. */
export interface Credentials {
  readonly apiKey: string
  readonly apiSecret: string
}

/** What signs the operations on projects. */
export interface AccountCredentials {
  readonly accountKey: string
  readonly accountSecret: string
}

/** The sandbox's one account and its projects. */
export interface Accounts {
  /** The account that is kept, else a new one. */
  openAccount(): AccountRecord
  /** The project that was given, else the oldest one kept, else a new one; it can be used at once. */
  openProject(given: Credentials | undefined): ProjectRecord
  /** Makes a project that can be used a minute later: the platform takes up to that long, the sandbox always does. */
  createProject(name: string): ProjectRecord
  /** Replaces a project's secret; whatever the old one signed is void at once. */
  refreshSecret(apiKey: string): ProjectRecord
}

export function createAccounts(parts: {
  store: Store
  ids: Ids
  now: () => number
  transitions: AllTransitions
}): Accounts {
  const { store, ids, now, transitions } = parts

  /** Every key belongs to one project or to the account. */
  function unusedKey(): string {
    const key = ids.apiKey()
    return store.projects.get(key) || store.accounts.get(key) ? unusedKey() : key
  }
  const begin = (id: string, secret: string, fields: Partial<ProjectRecord> = {}) =>
    transitions.projects.begin({ id, secret, name: '', createdAt: now(), ...fields })

  return {
    openAccount() {
      const [kept] = store.accounts.find()
      if (kept) return kept
      const account = { id: unusedKey(), secret: ids.hex(20) }
      store.accounts.insert(account)
      return account
    },
    openProject(given) {
      const kept = given ? store.projects.get(given.apiKey) : store.projects.find()[0]
      if (!kept) return begin(given?.apiKey ?? unusedKey(), given?.apiSecret ?? ids.hex(20))
      const project = { ...completed(kept), secret: given?.apiSecret ?? kept.secret }
      store.projects.replace(project)
      return project
    },
    createProject: (name) =>
      begin(unusedKey(), ids.hex(20), { name, usableFrom: now() + limits.projectAvailability.value * 1000 }),
    refreshSecret: (apiKey) => store.projects.update(apiKey, { secret: ids.hex(20), updatedAt: now() }),
  }
}

/** A record that was kept before there were accounts, with the fields that it lacks. */
function completed(kept: Partial<ProjectRecord> & Pick<ProjectRecord, 'id' | 'secret' | 'createdAt'>): ProjectRecord {
  return { name: '', status: 'ACTIVE', updatedAt: kept.createdAt, ...kept }
}
