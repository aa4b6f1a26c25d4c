import type { ComposerPages } from '../composer-pages.ts'
import { browsersFolder, endLeftBrowsers } from './browser-folders.ts'
import { type ChromiumPageParts, openChromiumPage } from './chromium-page.ts'

/**
 * Creates pages in Chromium. Each composer has its own browser, so that a page that takes down its browser takes down no
 * other composer. Ends the browsers that an earlier process has left.
 * @param folder of all browsers. @default one for each user, in the folder for temporary files
 */
export function createChromiumPages(
  parts: Omit<ChromiumPageParts, 'folder'> & { readonly folder?: string | undefined },
): ComposerPages {
  const { folder = browsersFolder() } = parts
  const pages = new Map<() => void, Promise<void>>()
  const leftEnded = endLeftBrowsers(folder).catch(() => {}) // the next start tries again

  return {
    open(composer, host) {
      const { close, ended } = openChromiumPage({ ...parts, folder }, composer, host)
      pages.set(close, ended)
      void ended.finally(() => pages.delete(close))
      return { close }
    },
    async close() {
      for (const close of pages.keys()) close()
      await Promise.all([...pages.values(), leftEnded])
    },
  }
}
