import { createStore, type Store } from '../state/store.ts'
import { type ArchiveStore, createArchiveStore } from './archive-store.ts'

/** Records and files in memory that outlive a sandbox: for simulations that restart it. */
export interface Memory {
  readonly store: Store
  readonly files: ArchiveStore
  close(): Promise<void>
}

export function createMemory(): Memory {
  const store = createStore()
  const files = createArchiveStore()
  return {
    store,
    files,
    async close() {
      await files.close()
      store.close()
    },
  }
}
