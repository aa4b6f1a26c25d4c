import { onContentUpdated, type Theme, withBase } from 'vitepress'
import DefaultTheme from 'vitepress/theme'

interface Mermaid {
  initialize(options: { readonly startOnLoad: boolean; readonly theme: string }): void
  run(options: { readonly nodes: readonly HTMLElement[] }): Promise<void>
}

let loading: Promise<Mermaid> | undefined

/** Loads the library for diagrams, which is a file of the site. */
const loadMermaid = (): Promise<Mermaid> =>
  new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), { src: withBase('/mermaid.js') })
    script.onload = () => resolve((globalThis as unknown as { readonly mermaid: Mermaid }).mermaid)
    script.onerror = () => reject(new Error('The library for diagrams cannot be loaded.'))
    document.head.append(script)
  })

/** Draws the diagrams of the page. The library is loaded only where there is one. */
async function drawDiagrams(): Promise<void> {
  const nodes = [...document.querySelectorAll<HTMLElement>('pre.mermaid:not([data-processed])')]
  if (nodes.length === 0) return
  loading ??= loadMermaid()
  const mermaid = await loading
  const theme = document.documentElement.classList.contains('dark') ? 'dark' : 'default'
  mermaid.initialize({ startOnLoad: false, theme })
  await mermaid.run({ nodes })
}

export default {
  extends: DefaultTheme,
  setup: () => onContentUpdated(() => void drawDiagrams()),
} satisfies Theme
