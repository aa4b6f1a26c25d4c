import { describe, expect, it } from 'vitest'
import { nameAwsRequest } from '../../../../local/simulation/environment/request-names.ts'

describe('nameAwsRequest', () => {
  it.each([
    ['PUT', '/bucket/shows/a/state.json?x-id=PutObject', 's3 PutObject shows/a/state.json'],
    ['GET', '/bucket/a%20b?x-id=GetObject', 's3 GetObject a b'],
    ['HEAD', '/bucket/key', 's3 HeadObject key'],
    ['GET', '/bucket?list-type=2&prefix=index%2Fshows%2F', 's3 ListObjectsV2 index/shows/'],
    ['POST', '/bucket/key?uploads', 's3 CreateMultipartUpload key'],
    ['PUT', '/bucket/key?partNumber=1&uploadId=u&x-id=UploadPart', 's3 UploadPart key'],
    ['POST', '/bucket/key?uploadId=u', 's3 CompleteMultipartUpload key'],
    ['DELETE', '/bucket/key?uploadId=u&x-id=AbortMultipartUpload', 's3 AbortMultipartUpload key'],
  ])('names %s %s', (method, path, name) => {
    expect(nameAwsRequest(new Request(`http://127.0.0.1${path}`, { method }))).toBe(name)
  })

  it('names operations of JSON services by their target', () => {
    const headers = { 'x-amz-target': 'secretsmanager.GetSecretValue' }
    expect(nameAwsRequest(new Request('http://127.0.0.1/', { method: 'POST', headers }))).toBe(
      'secretsmanager GetSecretValue',
    )
  })
})
