import { sdkVersion } from '../../../lib/platform/contract/insights/insights.ts'
import { InsightsRefusal } from '../http/insights-refusal.ts'
import { createBudget } from './bounds.ts'
import { chooseReportInterval, type Interval } from './intervals.ts'
import { insightsPageOf, type PageArguments } from './paging.ts'
import { readActivities } from './session-activity.ts'
import { type SessionArguments, showSessions, showSummaries } from './sessions.ts'
import { dimensionNames, dimensions, type Filters, measureUsage } from './usage.ts'
import type { View } from './view.ts'
import { type GivenRange, qualityWindow, readPeriod, usageWindow } from './windows.ts'

type UsageArguments = GivenRange &
  Filters &
  PageArguments & {
    readonly interval?: readonly (Interval | 'AUTO')[] | null
    readonly groupBy?: readonly string[] | null
  }

/** Creates the root value of a query; its methods resolve fields with their arguments. */
export function createRoot(view: View) {
  let asked: number | undefined
  const compute = createBudget('computations')
  const counted =
    <Args, Result>(answer: (args: Args) => Result) =>
    (args: Args) => {
      compute(1)
      return answer(args)
    }
  return {
    project({ projectId }: { readonly projectId: number }) {
      if (asked !== undefined && asked !== projectId) throw new InsightsRefusal(1010, 'projectId')
      asked = projectId
      checkProject(view, projectId)
      return {
        projectData: counted((args: UsageArguments) => showUsage(view, args)),
        sessionData() {
          if (!view.hasAddOn) throw new InsightsRefusal(1014)
          const window = qualityWindow(view.now)
          return {
            sessions: counted((args: SessionArguments) => showSessions(view, window, args)),
            sessionSummaries: counted((args: GivenRange & PageArguments) => showSummaries(view, window, args)),
          }
        },
      }
    },
  }
}

function checkProject({ store, project }: View, projectId: number): void {
  if (projectId < 1) throw new InsightsRefusal(1008)
  if (String(projectId) === project.id) return
  throw new InsightsRefusal(store.projects.get(String(projectId)) ? 1021 : 1015)
}

function showUsage({ store, now, project, spend }: View, args: UsageArguments) {
  const window = usageWindow(now)
  const range = readPeriod(args, window, now)
  const interval = readInterval(args.interval ?? []) ?? chooseReportInterval(range)
  for (const version of args.sdkVersion ?? [])
    if (!sdkVersion.safeParse(version).success) throw new InsightsRefusal(1007)
  const groupBy = dimensionNames.filter((name) => args.groupBy?.includes(dimensions[name]))
  const activities = readActivities(store, { projectId: project.id }, window.end)
  const metrics = measureUsage(activities, { range, interval, filters: args, groupBy })
  return { interval, ...insightsPageOf(metrics.length, (index) => metrics[index], args, spend) }
}

function readInterval(given: readonly (Interval | 'AUTO')[]): Interval | undefined {
  if (given.length > 1) throw new InsightsRefusal(1003)
  return given[0] === 'AUTO' ? undefined : given[0]
}
