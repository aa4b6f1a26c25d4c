import { describe, expect, it } from 'vitest'
import { createFlvReader, isKeyFrame, isSetup } from '../../../../../local/sandbox/media/rtmp/flv.ts'
import { flvTags, writeFlv } from '../../../../support/rtmp/flv-file.ts'

const pieces = [
  flvTags.metadata(),
  flvTags.pictureHeader(),
  flvTags.audioHeader(),
  flvTags.keyFrame(0, 500),
  flvTags.audio(21),
  flvTags.frame(0x01020304),
]

describe('createFlvReader', () => {
  it('finds the same tags in chunks of any size', () => {
    const file = writeFlv(pieces)
    expect(createFlvReader()(file)).toEqual(pieces)
    const read = createFlvReader()
    expect([...file].flatMap((byte) => read(Uint8Array.of(byte)))).toEqual(pieces)
  })

  it('refuses other formats', () => {
    expect(() => createFlvReader()(Buffer.alloc(20))).toThrow('not FLV')
    expect(() => createFlvReader()(writeFlv([{ type: 7, time: 0, body: Buffer.of() }]))).toThrow('type 7')
  })
})

describe('isSetup', () => {
  it('is true for the tags that decoders need first', () => {
    expect(createFlvReader()(writeFlv(pieces)).map(isSetup)).toEqual([true, true, true, false, false, false])
  })
})

describe('isKeyFrame', () => {
  it('is true for a picture at which decoding can start', () => {
    expect(createFlvReader()(writeFlv(pieces)).map(isKeyFrame)).toEqual([false, false, false, true, false, false])
  })
})
