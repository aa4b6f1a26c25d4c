import { describe, expect, it } from 'vitest'
import { findOperation } from '../../../../../lib/platform/contract/operations/find-operation.ts'
import { operations } from '../../../../../lib/platform/contract/operations/operations.ts'

const BASE = 'https://platform.example'

describe('findOperation', () => {
  const all = Object.entries(operations).filter(([, operation]) => !('base' in operation))
  it.each(all)('finds %s by its method and path', (name, { method, path }) => {
    const url = `${BASE}${path.replace(/\{(\w+)\}/g, '$1')}`
    const placeholders = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, name])
    expect(findOperation(method, url)).toEqual({ name, path: Object.fromEntries(placeholders) })
  })

  it.each([
    ['DELETE', '/v2/project/1/archive/storage', 'deleteUploadTarget', { apiKey: '1' }],
    ['DELETE', '/v2/project/1/archive/storages', 'deleteArchive', { apiKey: '1', archiveId: 'storages' }],
    ['GET', '/v2/partner/1/archive/?count=1', 'listArchives', { apiKey: '1' }],
    ['POST', '/v2/partner/1/call', 'dial', { apiKey: '1' }],
    ['GET', '/v2/project/1/archive/a%2Fb', 'getArchive', { apiKey: '1', archiveId: 'a/b' }],
    ['GET', '/v2/project/1/archive/%E0%A4', 'getArchive', { apiKey: '1', archiveId: '%E0%A4' }],
  ])('finds %s %s as the router does', (method, path, name, placeholders) => {
    expect(findOperation(method, BASE + path)).toEqual({ name, path: placeholders })
  })

  it.each([
    ['GET', '/'],
    ['GET', '/v3/project/1/archive'],
    ['PATCH', '/v2/project/1/archive'],
    ['GET', '/sandbox/faults'],
  ])('finds nothing for %s %s', (method, path) => {
    expect(findOperation(method, BASE + path)).toBeUndefined()
  })
})
