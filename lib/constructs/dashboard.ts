import { Stack } from 'aws-cdk-lib'
import { type Alarm, AlarmStatusWidget, Dashboard, GraphWidget, Stats } from 'aws-cdk-lib/aws-cloudwatch'
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions'
import { Construct } from 'constructs'
import type { MetricName } from '../tasks/metrics.ts'
import { showMetric } from './alarms.ts'
import type { Settings } from './deploy/settings.ts'

export interface ShowDashboardProps {
  readonly settings: Pick<Settings, 'stage'>
  readonly alarms: readonly Alarm[]
  readonly machines: Readonly<Record<'show' | 'publish' | 'notify', IStateMachine>>
}

export class ShowDashboard extends Construct {
  constructor(scope: Construct, id: string, { settings, alarms, machines }: ShowDashboardProps) {
    super(scope, id)
    const { region } = Stack.of(this)
    const own = (name: MetricName, statistic?: string) => showMetric(settings.stage, name, statistic)
    const dashboard = new Dashboard(this, 'Dashboard', { dashboardName: `showrunner-${settings.stage}` })
    dashboard.addWidgets(new AlarmStatusWidget({ title: 'Alarms', width: 24, alarms: [...alarms] }))
    dashboard.addWidgets(
      new GraphWidget({
        ...{ title: 'Shows', width: 12, region },
        left: [
          machines.show.metricStarted(),
          machines.show.metricSucceeded(),
          own('showsFailed'),
          own('showsCancelled'),
          own('showsOverdue'),
        ],
      }),
      new GraphWidget({
        ...{ title: 'Seconds from the planned end', width: 12, region },
        left: (['secondsToUploaded', 'secondsToPublished'] as const).flatMap((name) => [
          own(name, Stats.percentile(50)),
          own(name, Stats.MAXIMUM),
        ]),
      }),
    )
    dashboard.addWidgets(
      new GraphWidget({
        ...{ title: 'Recordings', width: 12, region },
        left: [
          machines.publish.metricSucceeded({ label: 'Published' }),
          own('publishesFailed'),
          own('publishesIncomplete'),
          own('recordingsWithheld'),
          own('recordingsRescued'),
          own('recordingsLost'),
        ],
      }),
      new GraphWidget({
        ...{ title: 'Callbacks and credentials', width: 12, region },
        left: [
          machines.notify.metricSucceeded({ label: 'Delivered' }),
          machines.notify.metricFailed({ label: 'Not delivered' }),
          own('authenticationFailures'),
          own('sweepsFailed'),
          own('valuesUnread'),
        ],
      }),
    )
  }
}
