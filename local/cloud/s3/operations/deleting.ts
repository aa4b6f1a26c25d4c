import { S3Error } from '../errors.ts'
import { type Call, xmlResponse } from '../operation.ts'
import { readXml } from '../xml.ts'

const MOST_KEYS = 1000

export async function deleteObjects({ request, body, store }: Call): Promise<Response> {
  const { records } = store
  if (!body.claimed && !request.headers.has('content-md5')) {
    throw new S3Error('InvalidRequest', 'Missing required header for this request: Content-MD5 or a checksum.')
  }
  const document = readXml(await body.text(), 'Delete')
  const named = document.all('Object')
  if (named.length === 0 || named.length > MOST_KEYS) {
    throw new S3Error('MalformedXML', `One request deletes 1 to ${MOST_KEYS} keys.`)
  }
  const keys = named.map((each) => {
    for (const name of ['VersionId', 'ETag', 'LastModifiedTime', 'Size']) {
      if (each.text(name) !== undefined) {
        throw new S3Error('NotImplemented', `DeleteObjects with ${name} is not implemented.`)
      }
    }
    const key = each.text('Key')
    if (!key) throw new S3Error('MalformedXML', 'An object to delete has no Key.')
    return key
  })
  const objects = [...new Set(keys)].flatMap((key) => records.object(request.bucket, key) ?? [])
  store.change(objects, () => {
    for (const object of objects) records.removeObject(object)
  })
  // A key that was not there counts as deleted.
  const deleted = document.text('Quiet') === 'true' ? [] : keys.map((Key) => ({ Key }))
  return xmlResponse({ DeleteResult: { Deleted: deleted } })
}
