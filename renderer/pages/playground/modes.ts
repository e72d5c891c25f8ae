import {
  IconArrowsSort,
  IconGridDots,
  IconMessage2,
  IconMicrophone,
  IconPhoto,
  IconVolume,
  type TablerIcon,
} from '@tabler/icons-react'
import type { CatalogueEntry } from '../../gateway/records.ts'

type Capability = CatalogueEntry['capabilities'][number]

/** As in `?mode=`. */
export type Mode = 'chat' | 'image' | 'speech' | 'transcription' | 'embeddings' | 'rerank'

interface ModeEntry {
  mode: Mode
  capability: Capability
  icon: TablerIcon
}

/** In the order of the switch. */
export const modeEntries: readonly ModeEntry[] = [
  { mode: 'chat', capability: 'chat', icon: IconMessage2 },
  { mode: 'image', capability: 'images', icon: IconPhoto },
  { mode: 'speech', capability: 'speech', icon: IconVolume },
  { mode: 'transcription', capability: 'transcription', icon: IconMicrophone },
  { mode: 'embeddings', capability: 'embeddings', icon: IconGridDots },
  { mode: 'rerank', capability: 'rerank', icon: IconArrowsSort },
]

export function modesOf({ capabilities }: CatalogueEntry): Mode[] {
  const able = modeEntries.filter(({ capability }) => capabilities.includes(capability))
  return able.map(({ mode }) => mode)
}
