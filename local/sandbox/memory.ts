import { createKeptFiles, type KeptFiles } from './kept-files.ts'
import { createStore, type Store } from './store.ts'

/** What outlives a process of the sandbox, without a disk: for simulations in which it ends and comes back. */
export interface Memory {
  readonly store: Store
  readonly files: KeptFiles
  close(): Promise<void>
}

export function createMemory(): Memory {
  const store = createStore()
  const files = createKeptFiles()
  return {
    store,
    files,
    async close() {
      await files.close()
      store.close()
    },
  }
}
