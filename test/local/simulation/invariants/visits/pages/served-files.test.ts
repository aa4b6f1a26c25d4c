import { describe, expect, it } from 'vitest'
import { pageFileOf } from '../../../../../../local/simulation/environment/guests/page-files.ts'
import { servedFiles } from '../../../../../../local/simulation/invariants/visits/pages/served-files.ts'
import { visited } from '../visited.ts'
import { content, objects, pageVisit } from './pages.ts'

const headers = {
  'content-type': 'text/css; charset=utf-8',
  'cache-control': 'public, max-age=300',
  'x-content-type-options': 'nosniff',
}
const style = visited('/assets/watch.css', '', { headers, answer: pageFileOf('watch.css') })

describe('servedFiles', () => {
  it('accepts the style of pages, and the names of downloads', () => {
    expect(servedFiles({ objects, visits: [style, pageVisit()] })).toEqual([])
  })

  it('finds another type, age and content of a file', () => {
    const wrong = {
      ...style,
      headers: { ...headers, 'content-type': 'text/plain', 'cache-control': 'no-store' },
      answer: '',
    }
    expect(servedFiles({ objects, visits: [wrong] })).toEqual(
      ['type', 'age in caches', 'content'].map((what) => `the file watch.css of pages has a wrong ${what}`),
    )
  })

  it('finds a download with another name', () => {
    const links = [{ text: 'Download', url: content.plain.links[1]?.url.replace('program', 'other') ?? '' }]
    expect(servedFiles({ objects, visits: [pageVisit({ plain: { ...content.plain, links } })] })).toEqual([
      expect.stringMatching(/^the download of x is saved as attachment; .* instead of .*\.m4a$/),
    ])
  })
})
