import { type AccessReport, accessView } from '../../src/report/access.ts';
import { type Advice, adviceView } from '../../src/report/advise.ts';
import type { Style } from '../../src/report/columns.ts';
import type { PodExplanation } from '../../src/report/explain/explanation.ts';
import { explanationView } from '../../src/report/explain/view.ts';
import type { History } from '../../src/report/history/schema.ts';
import { historyView } from '../../src/report/history/view.ts';
import { inChunks, jsonPieces, toLines } from '../../src/report/json.ts';
import { type ProfileList, profilesView } from '../../src/report/profiles.ts';
import { type Scan, scanView } from '../../src/report/scan.ts';
import type { SweepReport } from '../../src/report/schema.ts';
import { plannedBlocks } from '../../src/report/sweep/planned.ts';
import { notesOn, sweepView } from '../../src/report/sweep/view.ts';
import { viewText } from '../../src/report/view.ts';

/** The reports as a terminal shows them. */
export const renderTable = (report: SweepReport, style: Style) => viewText(sweepView(report, style), style);
export const renderScan = (scan: Scan, style: Style) =>
  viewText(scanView(scan, style, 'sidecar-sweeper advise'), style);
export const renderAccess = (report: AccessReport, style: Style) => viewText(accessView(report), style);
export const renderAdvice = (advice: Advice, style: Style) => viewText(adviceView(advice, style), style);
export const renderProfiles = (list: ProfileList, style: Style) => viewText(profilesView(list), style);
export const renderHistory = (history: History, style: Style) => viewText(historyView(history, style), style);
export const renderExplanation = (
  explained: PodExplanation,
  style: Style,
  shown: { readonly verbose: boolean },
) => viewText(explanationView(explained, shown), style);

export const notesOf = (report: SweepReport, style: Style) =>
  viewText({ sections: [notesOn(report, style)] }, style)
    .trimEnd()
    .split('\n');
export function plannedLines(report: SweepReport, style: Style): readonly string[] {
  return viewText({ sections: [plannedBlocks(report, style)] }, style)
    .trimEnd()
    .split('\n');
}

/** What a table is written with where no terminal says otherwise. */
export const plain: Style = { colour: false, width: undefined, wide: false };

export function asJson(document: object): string {
  return [...inChunks(jsonPieces(document))].join('');
}

export function asLines(records: Iterable<object>): string {
  return [...inChunks(toLines(records))].join('');
}
