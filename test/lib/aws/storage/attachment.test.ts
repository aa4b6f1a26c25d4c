import { describe, expect, it } from 'vitest'
import { attachment } from '../../../../lib/aws/storage/attachment.ts'

describe('attachment', () => {
  it('names a file in ASCII and in UTF-8', () => {
    expect(attachment('Launch webinar – program – 2026-11-22.mp4')).toBe(
      `attachment; filename="Launch webinar - program - 2026-11-22.mp4"; filename*=UTF-8''Launch%20webinar%20%E2%80%93%20program%20%E2%80%93%202026-11-22.mp4`,
    )
    expect(attachment('Größe 東京.mp4')).toBe(
      `attachment; filename="Gro_e __.mp4"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%E6%9D%B1%E4%BA%AC.mp4`,
    )
  })

  it.each([
    ['a"; filename="evil.exe', 'a-; filename=-evil.exe'],
    ['line\r\nset-cookie: a=b.mp4', 'line-set-cookie- a=b.mp4'],
    ['../../etc/passwd', 'etc-passwd'],
    ['C:\\CON|<x>?*.mp4', 'C-CON-x-.mp4'],
    ['.hidden.mp4', 'hidden.mp4'],
    ['\ud800 half a pair.mp4', 'half a pair.mp4'],
    ['...', 'download'],
    ['', 'download'],
    [`${'é'.repeat(300)}.mp4`, `${'é'.repeat(100)}.mp4`],
    ["it's (50 %) *done*.m4a", "it's (50 %) -done-.m4a"],
  ])('makes a safe name of %j', (given, name) => {
    const header = attachment(given)
    expect(header).toMatch(/^attachment; filename="[ !#-[\]-~]*"; filename\*=UTF-8''[\w!#$&+.^`|~%-]+$/)
    expect(decodeURIComponent(header.split("UTF-8''")[1] ?? '')).toBe(name)
  })
})
