import { boundedHistories } from './bounded-histories.ts'
import { agedKeys } from './callbacks/aged-keys.ts'
import { agreedCallbacks } from './callbacks/agreed-callbacks.ts'
import { goneOwners } from './callbacks/gone-owners.ts'
import { namedCalls } from './callbacks/named-calls.ts'
import { platformCallbacks } from './callbacks/platform-callbacks.ts'
import { refusedEvents } from './callbacks/refused-events.ts'
import { repeatedCallbacks } from './callbacks/repeated-callbacks.ts'
import { replayedEvents } from './callbacks/replayed-events.ts'
import { secretsReportedOnce } from './callbacks/secrets-reported-once.ts'
import { verifiedCallbacks } from './callbacks/verified-callbacks.ts'
import { rareObservations } from './calls/rare-observations.ts'
import { sharedRate } from './calls/shared-rate.ts'
import { closedShows } from './closed-shows.ts'
import { acceptedControls } from './controls/accepted-controls.ts'
import { announcedOnce } from './controls/announced-once.ts'
import { clipsOfBroadcasts } from './controls/clips-of-broadcasts.ts'
import { completedChanges } from './controls/completed-changes.ts'
import { describedChanges } from './controls/described-changes.ts'
import { drawnLayouts } from './controls/drawn-layouts.ts'
import { effectiveControls } from './controls/effective-controls.ts'
import { forgottenControls } from './controls/forgotten-controls.ts'
import { lastingLayouts } from './controls/lasting-layouts.ts'
import { markersOnce } from './controls/markers-once.ts'
import { movedEnds } from './controls/moved-ends.ts'
import { promptChanges } from './controls/prompt-changes.ts'
import { promptCues } from './controls/prompt-cues.ts'
import { refusedClips } from './controls/refused-clips.ts'
import { refusedControls } from './controls/refused-controls.ts'
import { repeatedControls } from './controls/repeated-controls.ts'
import { reportedTones } from './controls/reported-tones.ts'
import { detectedInTime } from './detected-in-time.ts'
import { judgedBodies } from './documents/judged-bodies.ts'
import { judgedDocuments } from './documents/judged-documents.ts'
import { answeredEdits } from './edits/answered-edits.ts'
import { deletedClips } from './edits/deleted-clips.ts'
import { deletedRecordings } from './edits/deleted-recordings.ts'
import { judgedFiles } from './edits/judged-files.ts'
import { keptCaptions } from './edits/kept-captions.ts'
import { keptCopies } from './edits/kept-copies.ts'
import { orderedClips } from './edits/ordered-clips.ts'
import { rebuiltRecordings } from './edits/rebuilt-recordings.ts'
import { restoredObjects } from './edits/restored-objects.ts'
import { revokedLinks } from './edits/revoked-links.ts'
import { attendedEnds } from './ends/attended-ends.ts'
import { finalStops } from './ends/final-stops.ts'
import { namedFailures } from './ends/named-failures.ts'
import { namedProblems } from './ends/named-problems.ts'
import { noEarlyEnd } from './ends/no-early-end.ts'
import { refusedStarts } from './ends/refused-starts.ts'
import { unprovokedEnds } from './ends/unprovoked-ends.ts'
import { everyArchiveAccountedFor } from './every-archive-accounted-for.ts'
import { everyShowReported } from './every-show-reported.ts'
import type { Evidence } from './evidence.ts'
import { alarmsRing } from './model/alarms-ring.ts'
import { apiAnswers } from './model/api-answers.ts'
import { boundedCalls } from './model/bounded-calls.ts'
import { boundedChildren } from './model/bounded-children.ts'
import { eventsOfShows } from './model/events-of-shows.ts'
import { keysInUse } from './model/keys-in-use.ts'
import { oneDefinition } from './model/one-definition.ts'
import { orderedLayouts } from './model/ordered-layouts.ts'
import { outcomes } from './model/outcomes.ts'
import { ownResources } from './model/own-resources.ts'
import { partsTogether } from './model/parts-together.ts'
import { repeatedStops } from './model/repeated-stops.ts'
import { settledShows } from './model/settled-shows.ts'
import { storedBytes } from './model/stored-bytes.ts'
import { toleratedFaults } from './model/tolerated-faults.ts'
import { trueTimelines } from './model/true-timelines.ts'
import { unprovokedFailures } from './model/unprovoked-failures.ts'
import { usageOnce } from './model/usage-once.ts'
import { noSecretShown } from './no-secret-shown.ts'
import { nothingLeftRunning } from './nothing-left-running.ts'
import { oneArchivePerPart } from './one-archive-per-part.ts'
import { continuedBroadcasts } from './parts/continued-broadcasts.ts'
import { continuedWatching } from './parts/continued-watching.ts'
import { earlyParts } from './parts/early-parts.ts'
import { noGapBetweenParts } from './parts/no-gap-between-parts.ts'
import { notedOutputs } from './parts/noted-outputs.ts'
import { notedPauses } from './parts/noted-pauses.ts'
import { orderedParts } from './parts/ordered-parts.ts'
import { overlappingParts } from './parts/overlapping-parts.ts'
import { recordedThroughout } from './parts/recorded-throughout.ts'
import { relievedBroadcasts } from './parts/relieved-broadcasts.ts'
import { reportedParts } from './parts/reported-parts.ts'
import { selectedStreams } from './parts/selected-streams.ts'
import { steadyParts } from './parts/steady-parts.ts'
import { stoppedStrays } from './parts/stopped-strays.ts'
import { clipsOfShows } from './publishing/clips-of-shows.ts'
import { joinedRecordings } from './publishing/joined-recordings.ts'
import { limitedPublishes } from './publishing/limited-publishes.ts'
import { playablePlaylists } from './publishing/playable-playlists.ts'
import { publishedArchives } from './publishing/published-archives.ts'
import { publishedEvents } from './publishing/published-events.ts'
import { publishedKeys } from './publishing/published-keys.ts'
import { withheldFiles } from './publishing/withheld-files.ts'
import { seriesKept } from './series-kept.ts'
import { answeredRequests } from './stacks/answered-requests.ts'
import { oneProject } from './stacks/one-project.ts'
import { removedKeys } from './stacks/removed-keys.ts'
import { rotatedCredentials } from './stacks/rotated-credentials.ts'
import { workingCredentials } from './stacks/working-credentials.ts'
import { adoptedStarts } from './starts/adopted-starts.ts'
import { audienceNoticed } from './starts/audience-noticed.ts'
import { begunShows } from './starts/begun-shows.ts'
import { calledOffStarts } from './starts/called-off-starts.ts'
import { dialedCallees } from './starts/dialed-callees.ts'
import { notedStarts } from './starts/noted-starts.ts'
import { noticedRotations } from './starts/noticed-rotations.ts'
import { realAudience } from './starts/real-audience.ts'
import { replacedDocuments } from './starts/replaced-documents.ts'
import { reportedStarts } from './starts/reported-starts.ts'
import { startsOnTime } from './starts/starts-on-time.ts'
import { acceptedUploads } from './uploads/accepted-uploads.ts'
import { boundedRescues } from './uploads/bounded-rescues.ts'
import { keptFiles } from './uploads/kept-files.ts'
import { rescuedAfterFetch } from './uploads/rescued-after-fetch.ts'
import { rescuedInTime } from './uploads/rescued-in-time.ts'
import { admittedParticipants } from './visits/admitted-participants.ts'
import { completeLists } from './visits/complete-lists.ts'
import { countedCosts } from './visits/counted-costs.ts'
import { documentedAnswers } from './visits/documented-answers.ts'
import { issuedInvitations } from './visits/issued-invitations.ts'
import { joinedGuests } from './visits/joined-guests.ts'
import { lastingLinks } from './visits/lasting-links.ts'
import { playedBroadcasts } from './visits/pages/played-broadcasts.ts'
import { refusedPages } from './visits/pages/refused-pages.ts'
import { servedFiles } from './visits/pages/served-files.ts'
import { servedPages } from './visits/pages/served-pages.ts'
import { protectedAnswers } from './visits/protected-answers.ts'
import { shownPhases } from './visits/shown-phases.ts'
import { shownRecordings } from './visits/shown-recordings.ts'
import { shownShows } from './visits/shown-shows.ts'

/** The invariants that hold under every fault. Each returns one sentence for each violation. */
export const invariants = {
  'one archive per part': oneArchivePerPart,
  'no gap between parts': noGapBetweenParts,
  'recordings cover their show': recordedThroughout,
  'broadcasts are continued': continuedBroadcasts,
  'broadcasts are relieved': relievedBroadcasts,
  'parts overlap': overlappingParts,
  'noticed in time': detectedInTime,
  'no early end': noEarlyEnd,
  'attended shows are not empty': attendedEnds,
  'nothing left running': nothingLeftRunning,
  'every archive accounted for': everyArchiveAccountedFor,
  'every show reported': everyShowReported,
  'failures are named': namedFailures,
  'problems are named': namedProblems,
  'results say what happened': outcomes,
  'results say how each part ended': reportedParts,
  'series kept': seriesKept,
  'starts on time': startsOnTime,
  'replaced documents are used': replacedDocuments,
  'shows begin': begunShows,
  'late starts are stopped': stoppedStrays,
  'the audience is noticed': audienceNoticed,
  'audiences are participants': realAudience,
  'nothing begins after a stop': finalStops,
  'starts are noted': notedStarts,
  'starts notice rotations': noticedRotations,
  'starts that are called off do not fail': calledOffStarts,
  'starts are reported': reportedStarts,
  'shows change only their own': ownResources,
  'announcements are sent once': announcedOnce,
  'changes are completed': completedChanges,
  'changes are described': describedChanges,
  'changes are made at once': promptChanges,
  'ends and markers are those asked for': movedEnds,
  'controls have their effect': effectiveControls,
  'controls are refused with reason': refusedControls,
  'controls are carried out with reason': acceptedControls,
  'tones are reported': reportedTones,
  'pauses name their part': notedPauses,
  'parts begin together': partsTogether,
  'parts are ordered': orderedParts,
  'selected streams are kept': selectedStreams,
  'functions bound their calls': boundedCalls,
  'throttled functions share a rate': sharedRate,
  'observations are rare': rareObservations,
  'bounded histories': boundedHistories,
  'no secret shown': noSecretShown,
  'stored bytes are those recorded': storedBytes,
  'rescued after the fetch': rescuedAfterFetch,
  'rescues are given up': boundedRescues,
  'rescues are in time': rescuedInTime,
  'uploads are accepted': acceptedUploads,
  'files are kept': keptFiles,
  'shows are closed': closedShows,
  'apps that are gone get nothing': goneOwners,
  'refused events ring an alarm': refusedEvents,
  'controls are carried out once': repeatedControls,
  'starts are adopted': adoptedStarts,
  'parts begin early': earlyParts,
  'children end within their hour': boundedChildren,
  'failed rollovers are repeated': continuedWatching,
  'callbacks are repeated': repeatedCallbacks,
  'callbacks verify': verifiedCallbacks,
  'apps verify callbacks': agreedCallbacks,
  'replays arrive': replayedEvents,
  'callbacks of the platform are published': platformCallbacks,
  'callbacks name calls': namedCalls,
  'unusable secrets are reported once': secretsReportedOnce,
  'timelines are true': trueTimelines,
  'events of shows': eventsOfShows,
  'markers are set once': markersOnce,
  'stops are repeated': repeatedStops,
  'keys in use stay active': keysInUse,
  'executions keep their definition': oneDefinition,
  'shows are settled': settledShows,
  'one fault fails no invocation': toleratedFaults,
  'starts are refused with a reason': refusedStarts,
  'shows fail only by faults': unprovokedEnds,
  'schedules fail only by faults': unprovokedFailures,
  'layouts are those ordered': orderedLayouts,
  'changed layouts last': lastingLayouts,
  'the API answers as documented': apiAnswers,
  'answers have their documented form': documentedAnswers,
  'answers are protected': protectedAnswers,
  'lists are complete': completeLists,
  'shows are shown as they are': shownShows,
  'phases are shown as they are': shownPhases,
  'costs are counted once': countedCosts,
  'recordings are shown as they are': shownRecordings,
  'pages show what is recorded': servedPages,
  'refused pages say why': refusedPages,
  'pages play what runs': playedBroadcasts,
  'files of pages are served': servedFiles,
  'links end with the link to their show': lastingLinks,
  'tokens admit those invited': admittedParticipants,
  'invitations expire as documented': issuedInvitations,
  'callees are dialed': dialedCallees,
  'new keys sign late': agedKeys,
  'parts keep what they noted': steadyParts,
  'cues are carried out in time': promptCues,
  'failed outputs are noted': notedOutputs,
  'noted layouts are drawn': drawnLayouts,
  'failed controls are forgotten': forgottenControls,
  'guests join open shows': joinedGuests,
  'alarms ring': alarmsRing,
  'usage is counted once': usageOnce,
  'archives are published': publishedArchives,
  'incomplete files are withheld': withheldFiles,
  'owners are notified of publishing': publishedEvents,
  'published files have own keys': publishedKeys,
  'playlists can be played': playablePlaylists,
  'parts are joined': joinedRecordings,
  'publishes are limited': limitedPublishes,
  'clips are cut': clipsOfShows,
  'documents are judged as documented': judgedDocuments,
  'bodies are judged as documented': judgedBodies,
  'deleted recordings are gone': deletedRecordings,
  'restored recordings are whole': restoredObjects,
  'withheld files are judged': judgedFiles,
  'edits are answered as documented': answeredEdits,
  'captions are kept': keptCaptions,
  'copies of the platform are kept': keptCopies,
  'clips have the ordered times': orderedClips,
  'clips of broadcasts have the ordered times': clipsOfBroadcasts,
  'clips are refused with reason': refusedClips,
  'deleted clips are gone': deletedClips,
  'recordings are rebuilt': rebuiltRecordings,
  'revoked links stay revoked': revokedLinks,
  'requests of stacks are answered': answeredRequests,
  'a stack has one project': oneProject,
  'credentials are rotated': rotatedCredentials,
  'a removed stack leaves no keys': removedKeys,
  'stored credentials work': workingCredentials,
} as const satisfies Record<string, (evidence: Evidence) => string[]>

export type Invariant = keyof typeof invariants

export interface Broken {
  readonly invariant: Invariant
  readonly detail: string
}

export const checkInvariants = (evidence: Evidence): Broken[] =>
  (Object.keys(invariants) as Invariant[]).flatMap((invariant) =>
    invariants[invariant](evidence).map((detail) => ({ invariant, detail })),
  )
