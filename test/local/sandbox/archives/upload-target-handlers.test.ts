import { describe, expect, it } from 'vitest'
import { openSandbox } from '../open-sandbox.ts'
import { uploadTarget } from './memory-bucket.ts'

describe('uploadTargetHandlers', () => {
  it('answers with the submitted body', async () => {
    const { call } = openSandbox()
    const target = { ...uploadTarget(), note: 'unknown fields too' }
    expect(await call('setUploadTarget', target)).toEqual({ status: 200, body: target })
  })

  it('accepts a target of type azure', async () => {
    const { call } = openSandbox()
    const config = { accountName: 'account', accountKey: 'a2V5', container: 'recordings', domain: 'blob.example.com' }
    const target = { type: 'azure', config, fallback: 'opentok' }
    expect(await call('setUploadTarget', target)).toEqual({ status: 200, body: target })
  })

  it('deletes the target once', async () => {
    const { call } = openSandbox()
    await call('setUploadTarget', uploadTarget())
    expect(await call('deleteUploadTarget')).toEqual({ status: 204, body: '' })
    expect(await call('deleteUploadTarget')).toMatchObject({ status: 404 })
  })

  it.each([
    [{}, /^type: /],
    [{ type: 'ftp', config: {} }, /^type: /],
    [{ type: 's3' }, /^config is required/],
    [{ type: 's3', config: { accessKey: 'a', secretKey: 'b' } }, /^config.bucket is required/],
    [{ ...uploadTarget(), fallback: 'mine' }, /^fallback: /],
    [{ type: 'azure', config: { accountName: 'a', accountKey: 'k' } }, /^config.container is required/],
    [
      { type: 's3', config: { accessKey: 'a', secretKey: 'b', bucket: 'c', endpoint: 'file:///etc' } },
      /^config.endpoint/,
    ],
  ])('refuses %j', async (target, message) => {
    const { call } = openSandbox()
    const answer = await call('setUploadTarget', target)
    expect(answer).toEqual({ status: 400, body: { code: 400, message: expect.stringMatching(message) } })
  })
})
