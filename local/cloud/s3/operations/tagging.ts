import { checkTags } from '../attributes.ts'
import { readXml } from '../http/xml.ts'
import { emptyResponse, objectOf, type S3Call, xmlResponse } from './operation.ts'

export function getObjectTagging(call: S3Call): Response {
  const tags = Object.entries(objectOf(call).tags).map(([Key, Value]) => ({ Key, Value }))
  return xmlResponse({ Tagging: { TagSet: { Tag: tags } } })
}

export async function putObjectTagging(call: S3Call): Promise<Response> {
  const sets = readXml(await call.body.text(), 'Tagging').all('TagSet')
  const tags = sets.flatMap((set) => set.all('Tag')).map((tag) => [tag.text('Key') ?? '', tag.text('Value') ?? ''])
  return setTags(call, checkTags(tags as [string, string][]), 200)
}

export const deleteObjectTagging = (call: S3Call) => setTags(call, {}, 204)

function setTags(call: S3Call, tags: Record<string, string>, status: number): Response {
  const object = objectOf(call)
  call.store.records.setAttributes(object, { headers: object.headers, tags })
  return emptyResponse(status)
}
