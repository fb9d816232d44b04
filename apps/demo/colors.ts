import type { Environment } from '../../adapters/node/settings.ts'

/** Whether output may carry escape codes: a terminal's may, and the environment has the last word. Source: no-color.org, force-color.org */
export const hasColors = ({ FORCE_COLOR, NO_COLOR }: Environment, isTerminal: boolean): boolean => {
  if (FORCE_COLOR) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return !NO_COLOR && isTerminal
}
