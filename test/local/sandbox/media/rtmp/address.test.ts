import { describe, expect, it } from 'vitest'
import { readRtmpUrl } from '../../../../../local/sandbox/media/rtmp/address.ts'

describe('readRtmpUrl', () => {
  it.each([
    ['rtmp://live.example/app', { isSecure: false, host: 'live.example', port: 1935, app: 'app' }],
    [
      'rtmps://live.example/app/more?auth=1',
      { isSecure: true, host: 'live.example', port: 443, app: 'app/more?auth=1' },
    ],
    ['rtmp://127.0.0.1:19350', { host: '127.0.0.1', port: 19350, app: '' }],
    ['rtmp://[::1]:1936/live', { host: '::1', port: 1936, app: 'live' }],
  ])('reads %s', (url, address) => {
    expect(readRtmpUrl(url)).toMatchObject({ ...address, url })
  })

  it.each(['http://live.example/app', 'rtmp:app', 'rtmp:///app', 'rtmp://%00/app', 'rtmp://a b/app', 'live'])(
    'does not take %s for an address',
    (url) => {
      expect(readRtmpUrl(url)).toBeUndefined()
    },
  )
})
