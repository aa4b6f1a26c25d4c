import type { Environment } from '../../../lib/tasks/environment.ts'
import { defaultMemory } from '../../../lib/tasks/memory.ts'
import { ladder } from '../../../lib/tasks/rendition.ts'
import { queueArn } from '../../../local/cloud/queues/queues.ts'
import { BUCKET, functionArn, machineArn, OWN_BUS, SHOW_SECRETS, START_SHOW, UPLOADER } from './stack.ts'

/** Variables of every function in a world, by the names of the outputs of its stack. */
export const environmentOf = (output: (name: string) => string): Environment => ({
  BUCKET,
  PLATFORM_URL: 'http://localhost',
  PLATFORM_AUTH_HEADER: 'X-SERVICE-AUTH',
  PLATFORM_CALLS_PER_SECOND: '100',
  PLATFORM_SECRET: output('project'),
  UPLOAD_SECRET: output('upload'),
  UPLOAD_USER: UPLOADER,
  ACCOUNT_SECRET: output('account'),
  UPLOAD_ENDPOINT: 'http://127.0.0.1',
  SHOW_MACHINE: machineArn('show'),
  PUBLISH_MACHINE: machineArn('publish'),
  TASK_MEMORY: JSON.stringify(defaultMemory),
  MAX_PUBLISHES: '10',
  SHOW_SECRETS,
  CALLBACK_SECRET: output('callbacks'),
  CALLBACK_KEY: output('callback-key'),
  WATCH_SECRET: output('watch'),
  TOOLS: '{"showrunner":"0.1.0"}',
  LADDER: JSON.stringify(ladder.parse(undefined)),
  CALLBACK_REACH: 'anywhere',
  SCHEDULE_GROUP: 'shows',
  SCHEDULE_ROLE: 'arn:aws:iam::000000000000:role/schedules',
  SCHEDULE_TARGET: functionArn(START_SHOW),
  SCHEDULE_DEAD_LETTERS: queueArn('schedules'),
  ROLE_CLAIM: 'scope',
  VIEWER_ROLE: 'showrunner/viewer',
  OPERATOR_ROLE: 'showrunner/operator',
  ADMIN_ROLE: 'showrunner/admin',
  UNDELETE_DAYS: '7',
  WATCH_ORIGIN: 'api',
  JOIN_URL: 'none',
  ORIGIN_SECRET: 'none',
  FRAME_ANCESTORS: "'none'",
  INSIGHTS_URL: 'http://localhost/insights',
  INSIGHTS_PLAN: 'basic',
  PLATFORM_CALLBACKS: output('platform-callbacks'),
  EVENT_BUS: OWN_BUS,
  STAGE: 'test',
  FFMPEG_PATH: '/nowhere/ffmpeg',
})
