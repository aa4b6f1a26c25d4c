import { createStore } from '../state/store.ts'
import { createArchiveStore } from './archive-store.ts'

/** Records and files in memory that outlive a sandbox: for simulations that restart it. */
export type Memory = ReturnType<typeof createMemory>

export function createMemory() {
  const store = createStore()
  const files = createArchiveStore()
  return {
    store,
    files,
    async close(): Promise<void> {
      await files.close()
      store.close()
    },
  }
}
