import { type Asset, builtAsset, SCRIPT_TYPE } from '../http/pages/asset.ts'

/** The scripts of the panels: the entry points, and the compressed files that the build makes from them. */
export const PANEL_SCRIPTS = {
  agency: { source: 'apps/real-estate/panel/browser/main.tsx', file: 'panel.js.gz' },
  merchants: { source: 'apps/payments/panel/browser/main.tsx', file: 'merchant-panel.js.gz' },
} as const

export const panelScript = (panel: keyof typeof PANEL_SCRIPTS): Promise<Asset> =>
  builtAsset(SCRIPT_TYPE, PANEL_SCRIPTS[panel].file)
