import { describe, expect, it } from 'vitest'
import { decodeAwsChunked } from '../../../../../local/cloud/s3/http/aws-chunked.ts'
import { readRequest } from '../../../../../local/cloud/s3/http/request.ts'
import { createSigner } from '../../../../../local/cloud/s3/http/signature.ts'

const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** The examples that AWS publishes in "Authenticating Requests (AWS Signature Version 4)". */
describe('createSigner', () => {
  const scope = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', day: '20130524', region: 'us-east-1', time: '20130524T000000Z' }
  const signer = createSigner('wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', scope)
  const host = 'https://examplebucket.s3.amazonaws.com'

  it('signs the example of a GET with a range', () => {
    const headers = { range: 'bytes=0-9', 'x-amz-content-sha256': EMPTY_SHA256, 'x-amz-date': scope.time }
    const request = readRequest(new Request(`${host}/test.txt`, { headers }), '1')
    const names = ['host', 'range', 'x-amz-content-sha256', 'x-amz-date']
    const expected = 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41'
    expect(signer.signRequest(request, names, EMPTY_SHA256)).toBe(expected)
  })

  it('signs the example of a presigned GET', () => {
    const query = new URLSearchParams({
      'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
      'X-Amz-Credential': 'AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request',
      'X-Amz-Date': scope.time,
      'X-Amz-Expires': '86400',
      'X-Amz-SignedHeaders': 'host',
      'X-Amz-Signature': 'not part of itself',
    })
    const request = readRequest(new Request(`${host}/test.txt?${query}`), '1')
    const expected = 'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404'
    expect(signer.signRequest(request, ['host'], 'UNSIGNED-PAYLOAD')).toBe(expected)
  })

  it('accepts the example of an upload in signed chunks', async () => {
    const chunks: [number, string][] = [
      [65536, 'ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648'],
      [1024, '0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497'],
      [0, 'b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9'],
    ]
    const text = chunks.map(
      ([size, signature]) => `${size.toString(16)};chunk-signature=${signature}\r\n${'a'.repeat(size)}\r\n`,
    )
    const seed = '4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9'
    const decode = async (body: string, step: number) => {
      const source = async function* () {
        for (let at = 0; at < body.length; at += step) yield Buffer.from(body.slice(at, at + step))
      }
      let size = 0
      for await (const part of decodeAwsChunked(source(), { trailer: false, signed: { signer, seed } }, new Map())) {
        size += part.length
      }
      return size
    }
    expect(await decode(text.join(''), 1000)).toBe(66_560)
    expect(await decode(text.join(''), 1_000_000)).toBe(66_560)
    await expect(decode(text.join('').replace('a\r\n', 'b\r\n'), 1000)).rejects.toThrow('does not match its bytes')
  })
})
