import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CreateMultipartUploadCommand, PutObjectCommand, UploadPartCommand } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pythonWith } from '../../../support/python.ts'
import { findTool } from '../../../support/tools.ts'
import { ACCESS_KEY, BUCKET, type Endpoint, inFiles, pattern, SECRET } from './endpoints.ts'

const run = promisify(execFile)
const SMALL = 'hello from another tool'
/** More than one part of every tool here. */
const LARGE = pattern(20 * 2 ** 20)

let endpoint: Endpoint
let folder: string
beforeAll(async () => {
  endpoint = await inFiles()
  folder = await mkdtemp(join(tmpdir(), 'showrunner-s3-tools-'))
  await writeFile(join(folder, 'small.txt'), SMALL)
  await writeFile(join(folder, 'large.bin'), LARGE)
  for (const Key of ['tree/a', 'tree/b/c'])
    await endpoint.client.send(new PutObjectCommand({ Bucket: BUCKET, Key, Body: Key }))
})
afterAll(async () => {
  await endpoint.close()
  await rm(folder, { recursive: true })
})

/** Runs a tool with the endpoint's key, and no settings of this machine. */
async function tool(file: string, args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    AWS_ACCESS_KEY_ID: ACCESS_KEY,
    AWS_SECRET_ACCESS_KEY: SECRET,
    AWS_DEFAULT_REGION: 'us-east-1',
    AWS_EC2_METADATA_DISABLED: 'true',
    ...more,
  }
  return (await run(file, args, { env, maxBuffer: 2 ** 24 })).stdout
}

/** The operations of each tool: names in, bytes out. */
interface Tool {
  buckets(): Promise<string>
  list(prefix: string): Promise<string>
  put(path: string, key: string): Promise<unknown>
  get(key: string, path: string): Promise<unknown>
  remove(key: string): Promise<unknown>
}

const tools: Readonly<Record<string, () => Promise<Tool>>> = {
  async awscli() {
    const aws = join(await pythonWith('awscli==1.46.3'), 'aws')
    const s3 = (...args: string[]) => tool(aws, ['--endpoint-url', endpoint.url, 's3', ...args])
    return {
      buckets: () => s3('ls'),
      list: (prefix) => s3('ls', `s3://${BUCKET}/${prefix}`),
      put: (path, key) => s3('cp', '--no-progress', path, `s3://${BUCKET}/${key}`),
      get: (key, path) => s3('cp', '--no-progress', `s3://${BUCKET}/${key}`, path),
      remove: (key) => s3('rm', `s3://${BUCKET}/${key}`),
    }
  },
  async s3cmd() {
    const path = await findTool('s3cmd', 's3cmd')
    const { host } = new URL(endpoint.url)
    const place = ['--no-ssl', `--host=${host}`, `--host-bucket=${host}`, '--no-progress']
    const keys = [`--access_key=${ACCESS_KEY}`, `--secret_key=${SECRET}`, '--region=us-east-1']
    const s3cmd = (...args: string[]) => tool(path, [...place, ...keys, ...args])
    return {
      buckets: () => s3cmd('ls'),
      list: (prefix) => s3cmd('ls', `s3://${BUCKET}/${prefix}`),
      put: (file, key) => s3cmd('put', '--multipart-chunk-size-mb=8', file, `s3://${BUCKET}/${key}`),
      get: (key, file) => s3cmd('get', '--force', `s3://${BUCKET}/${key}`, file),
      remove: (key) => s3cmd('del', `s3://${BUCKET}/${key}`),
    }
  },
  async rclone() {
    const path = await findTool('rclone', 'rclone')
    const more = {
      RCLONE_CONFIG_LOCAL_TYPE: 's3',
      RCLONE_CONFIG_LOCAL_PROVIDER: 'Other',
      RCLONE_CONFIG_LOCAL_ENDPOINT: endpoint.url,
      RCLONE_CONFIG_LOCAL_ACCESS_KEY_ID: ACCESS_KEY,
      RCLONE_CONFIG_LOCAL_SECRET_ACCESS_KEY: SECRET,
      RCLONE_CONFIG_LOCAL_ACL: 'bucket-owner-full-control', // the only one that S3 takes without ACLs
      RCLONE_S3_UPLOAD_CUTOFF: '6M',
      RCLONE_S3_NO_CHECK_BUCKET: 'true',
    }
    const rclone = (...args: string[]) => tool(path, args, more)
    return {
      buckets: () => rclone('lsd', 'local:'),
      list: (prefix) => rclone('lsf', `local:${BUCKET}/${prefix}`),
      put: (file, key) => rclone('copyto', file, `local:${BUCKET}/${key}`),
      get: (key, file) => rclone('copyto', `local:${BUCKET}/${key}`, file),
      remove: (key) => rclone('deletefile', `local:${BUCKET}/${key}`),
    }
  },
  async boto3() {
    const python = join(await pythonWith('boto3==1.44.5'), 'python')
    const boto = (code: string) =>
      tool(python, ['-c', `import boto3\ns3 = boto3.client('s3', endpoint_url='${endpoint.url}')\n${code}`])
    return {
      buckets: () => boto(`print([b['Name'] for b in s3.list_buckets()['Buckets']])`),
      list: (prefix) =>
        boto(`p = s3.list_objects(Bucket='${BUCKET}', Prefix='${prefix}', Delimiter='/')
print([c['Key'] for c in p['Contents']], [c['Prefix'] for c in p.get('CommonPrefixes', [])])`),
      put: (path, key) => boto(`s3.upload_file('${path}', '${BUCKET}', '${key}')`),
      get: (key, path) => boto(`s3.download_file('${BUCKET}', '${key}', '${path}')`),
      remove: (key) => boto(`s3.delete_object(Bucket='${BUCKET}', Key='${key}')`),
    }
  },
}

describe.each(Object.keys(tools))('%s', (name) => {
  let used: Tool
  beforeAll(async () => {
    used = await (tools[name] as () => Promise<Tool>)()
  })

  it('finds the bucket, and what is below a prefix', async () => {
    expect(await used.buckets()).toContain(BUCKET)
    const listed = await used.list('tree/')
    expect(listed).toMatch(/\ba\b/)
    expect(listed).toContain('b/')
    expect(listed).not.toContain('b/c')
  })

  it.each([
    ['small.txt', Buffer.from(SMALL)],
    ['large.bin', LARGE],
  ])('stores %s, fetches the same bytes again, and removes it', async (file, bytes) => {
    const key = `${name}/${file}`
    const back = join(folder, `${name}-${file}`)
    await used.put(join(folder, file), key)
    expect(await used.list(`${name}/`)).toContain(file)
    await used.get(key, back)
    expect((await readFile(back)).equals(bytes)).toBe(true)
    await used.remove(key)
    expect(await used.list(`${name}/`).catch(() => 'awscli fails where nothing is listed')).not.toContain(file)
  })
})

it('answers what boto3 asks of locations, attributes and uploads', async () => {
  const python = join(await pythonWith('boto3==1.44.5'), 'python')
  const started = await endpoint.client.send(new CreateMultipartUploadCommand({ Bucket: BUCKET, Key: 'begun' }))
  const place = { Bucket: BUCKET, Key: 'begun', UploadId: started.UploadId, PartNumber: 1 }
  await endpoint.client.send(new UploadPartCommand({ ...place, Body: 'x' }))
  const text = await tool(python, [
    '-c',
    `import boto3, json
s3 = boto3.client('s3', endpoint_url='${endpoint.url}')
attributes = s3.get_object_attributes(Bucket='${BUCKET}', Key='tree/a', ObjectAttributes=['ETag', 'ObjectSize'])
print(json.dumps({
  'location': s3.get_bucket_location(Bucket='${BUCKET}')['LocationConstraint'],
  'head': s3.head_bucket(Bucket='${BUCKET}')['ResponseMetadata']['HTTPStatusCode'],
  'size': attributes['ObjectSize'],
  'uploads': [upload['Key'] for upload in s3.list_multipart_uploads(Bucket='${BUCKET}')['Uploads']],
}))`,
  ])
  expect(JSON.parse(text)).toEqual({ location: null, head: 200, size: 6, uploads: ['begun'] })
})
