import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitepress'
import { sections, slugOf } from '../pages.ts'

const collected = join(import.meta.dirname, '../collected')

/** Returns the title of a page: its first heading. */
const titleOf = (page: string) => /^# (.*)$/m.exec(readFileSync(join(collected, page), 'utf8'))?.[1] ?? page
const linkTo = (page: string) => `/${page.replace(/(?:index)?\.md$/, '')}`

const sidebar = Object.entries(sections).map(([text, documents], index) => {
  const items = Object.values(documents).map((page) => ({ text: titleOf(page), link: linkTo(page) }))
  const api = text === 'Your app' ? [{ text: 'HTTP API', link: '/api' }] : []
  const platform = text === 'How it works' ? [{ text: 'The platform’s HTTP interface', link: '/platform-api' }] : []
  return { text, items: [...api, ...items, ...platform], collapsed: index > 2 }
})

export default defineConfig({
  title: 'Showrunner',
  description: 'Records, broadcasts and publishes live video events, unattended, in your AWS account.',
  base: (process.env.SITE_BASE ?? '/') as `/${string}/`,
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  srcDir: 'collected',
  outDir: 'dist',
  cleanUrls: true,
  lastUpdated: false,
  markdown: {
    html: false, // documents are plain Markdown: an angle bracket is one
    attrs: { disable: true }, // and so is a brace
    anchor: { slugify: slugOf },
    toc: { slugify: slugOf },
    headers: { slugify: slugOf },
    config(markdown) {
      const { fence } = markdown.renderer.rules
      markdown.renderer.rules.fence = (tokens, index, options, environment, self) => {
        const token = tokens[index]
        if (token?.info.trim() !== 'mermaid') return fence?.(tokens, index, options, environment, self) ?? ''
        return `<pre class="mermaid" v-pre>${markdown.utils.escapeHtml(token.content)}</pre>`
      }
    },
  },
  // The largest chunk is the index of the search, which is loaded when someone searches.
  vite: { build: { target: 'es2022', chunkSizeWarningLimit: 2_000 } },
  themeConfig: {
    nav: [
      { text: 'First show', link: '/guides/first-show' },
      { text: 'Cookbook', link: '/guides/cookbook' },
      { text: 'HTTP API', link: '/api' },
      { text: 'Deploy', link: '/deploy' },
      { text: 'FAQ', link: '/guides/troubleshooting' },
    ],
    sidebar,
    outline: [2, 3],
    search: { provider: 'local' },
    socialLinks: [{ icon: 'github', link: 'https://github.com/showrunner/showrunner' }],
  },
})
