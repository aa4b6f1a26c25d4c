import { describe, expect, it } from 'vitest'
import { parserComplaints } from './independent-parsers.ts'

const HEADER = '#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:6\n'

describe('parserComplaints', () => {
  it('returns nothing for a playlist that both parsers read', () => {
    expect(parserComplaints(`${HEADER}#EXTINF:6,\na.ts\n#EXT-X-ENDLIST\n`)).toEqual([])
  })

  it('returns what each of them refuses', () => {
    const complaints = parserComplaints(`${HEADER}#EXT-X-SERVER-CONTROL:HOLD-BACK=1\n#EXTINF:9,\na.ts\n`)
    expect(complaints.join('\n')).toMatch(/hls-parser: .*\nm3u8-parser: /)
  })
})
