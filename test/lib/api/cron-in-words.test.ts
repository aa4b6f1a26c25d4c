import { describe, expect, it } from 'vitest'
import { describeCron } from '../../../lib/api/cron-in-words.ts'
import { cronProblem } from '../../../lib/show/document/fields/cron.ts'

describe('describeCron', () => {
  it.each([
    ['0 19 ? * TUE *', 'every Tuesday at 19:00'],
    ['0 19 ? * 3 *', 'every Tuesday at 19:00'],
    ['30 9 ? * mon-fri *', 'every Monday to Friday at 9:30'],
    ['0 9,17 ? * MON,THU *', 'every Monday and Thursday at 9:00 and 17:00'],
    ['0 9 ? * 3#2 *', 'on the second Tuesday of the month at 9:00'],
    ['0 9 ? * FRIL *', 'on the last Friday of the month at 9:00'],
    ['0 9 ? * L *', 'every Saturday at 9:00'],
    ['0 9 * * ? *', 'every day at 9:00'],
    ['5 20 1,15 * ? *', 'on day 1 and day 15 of the month at 20:05'],
    ['0 8 L * ? *', 'on the last day of the month at 8:00'],
    ['0 8 15W * ? *', 'on the weekday nearest to day 15 of the month at 8:00'],
    ['0 18 24 12 ? 2027', 'on day 24 of the month at 18:00 in December in 2027'],
    ['0 18 ? JUN-AUG SUN *', 'every Sunday at 18:00 in June to August'],
    ['* * * * ? *', 'every minute'],
    ['0/15 * * * ? *', 'every 15 minutes'],
    ['0 * * * ? *', 'every hour'],
    ['0 */2 ? * SAT *', 'every Saturday, every 2 hours'],
    ['20 * * * ? *', 'every hour at minute 20'],
    ['0 9-17 ? * MON-FRI *', 'every Monday to Friday, every hour of 9 to 17'],
    [
      '0/10 9 2/7 * ? *',
      'on day 2 and later in steps of 7 of the month, every hour of 9 at minute 0 and later in steps of 10',
    ],
  ])('describes %s', (cron, words) => {
    expect([cronProblem(cron), describeCron(cron)]).toEqual([undefined, words])
  })
})
