import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { outputsFileOf } from '../../../../bin/operations/outputs.ts'
import { startProgram } from '../../../support/program.ts'

/** An environment without credentials. */
const withoutCredentials = {
  AWS_EC2_METADATA_DISABLED: 'true',
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  AWS_PROFILE: '',
  AWS_ACCESS_KEY_ID: '',
  AWS_REGION: '',
  AWS_DEFAULT_REGION: '',
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'showrunner-test-'))
  const showrunner = { stage: 'Prod', platform: { url: 'https://platform.example.com' } }
  await writeFile(join(folder, 'invalid.json'), JSON.stringify({ context: { showrunner } }))
})
afterAll(() => rm(folder, { recursive: true }))

const deploy = async (...args: string[]) => (await startProgram(['deploy', ...args], withoutCredentials)).ended

describe('deployCommand', () => {
  it('lists everything that is missing with advice, and the command that it would run', async () => {
    const { code, stdout } = await deploy('--dry-run', '--stage', 'never', '--', '--require-approval', 'never')
    expect(code).toBe(1)
    for (const line of [
      /^✗ AWS credentials +None were found \(.+\)\. Log in as for the AWS CLI/m,
      /^✗ region +Set region in cdk\.json, or AWS_REGION\.$/m,
      /^\? CDK bootstrap +Not checked\./m,
      /^✓ settings +They are valid\. The stage is never\.$/m,
      /^✗ platform +platform\.url is https:\/\/platform\.example\.com, which is only an example/m,
      /^→ platform project +After the deployment/m,
      /^✗ identity issuer +identity\.issuer is /m,
      /^✗ ffmpeg layer +Set ffmpegLayer to a Lambda layer/m,
      /^ {2}npx cdk deploy Showrunner-never --context 'showrunner=\{"stage":"never",.+\}' --no-previous-parameters --outputs-file \S+ --require-approval never$/m,
    ])
      expect(stdout).toMatch(line)
    expect(existsSync(outputsFileOf('never'))).toBe(false)
  })

  it('deploys nothing if anything is missing or the settings are invalid', async () => {
    const { code, stdout, stderr } = await deploy('--settings', join(folder, 'invalid.json'))
    expect(code).toBe(1)
    expect(stdout).toMatch(/^✗ AWS credentials/m)
    expect(stdout).toMatch(/^✗ settings +The CDK context is not valid .*showrunner\.stage: .*showrunner\.identity: /m)
    expect(stderr).toBe('Nothing was deployed. Add what is marked ✗ and run it again (docs/deploy.md).\n')
  })

  it('asks no questions without a terminal', async () => {
    const path = join(folder, 'new.json')
    const { code, stdout, stderr } = await deploy('--guided', '--settings', path)
    const sentence = `--guided asks questions and needs a terminal. Write ${path} as docs/deploy.md describes, and use --dry-run.\n`
    expect([code, stdout, stderr]).toEqual([1, '', sentence])
    expect(existsSync(path)).toBe(false)
  })

  it('reports missing settings', async () => {
    const { code, stderr } = await deploy('--settings', join(folder, 'none.json'))
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^The settings file \S+none\.json cannot be read \(/)])
  })
})
