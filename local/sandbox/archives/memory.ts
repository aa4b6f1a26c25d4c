import { createStore, type Store } from '../state/store.ts'
import { type ArchiveStore, createArchiveStore } from './archive-store.ts'

/** What outlives a process of the sandbox, without a disk: for simulations in which it ends and comes back. */
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
