import type * as mantine from '@mantine/core'
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

const iris: MantineColorsTuple = [
  '#eef1ff',
  '#dde2fb',
  '#b9c2f4',
  '#929fec',
  '#7181e6',
  '#5c6ee2',
  '#4f62e0',
  '#4255d4',
  '#384bb9',
  '#2c3d9e',
]

const neutral: MantineColorsTuple = [
  '#fafafa',
  '#f4f4f5',
  '#ececee',
  '#e0e0e4',
  '#cbcbd1',
  '#a3a3ad',
  '#71717c',
  '#52525c',
  '#3a3a42',
  '#232329',
]

const ink: MantineColorsTuple = [
  '#e7e7ea',
  '#c4c4cb',
  '#9a9aa5',
  '#73737f',
  '#35353d',
  '#2a2a31',
  '#212127',
  '#18181c',
  '#131316',
  '#0e0e11',
]

/** Readable text on a faint background of the same color, in both themes, also in a row that is selected. */
export const readable = (color: string) =>
  `light-dark(color-mix(in srgb, var(--mantine-color-${color}-9) 62%, black), var(--mantine-color-${color}-3))`

/** Their `<header>` would be a second banner of the page. */
const plainHeader = { header: { role: 'presentation' } }

const controls = { defaultProps: { size: 'xs' } }

type ComponentsOf<Parts> = {
  [Name in keyof Parts]?: Parts[Name] extends { extend(given: infer Given): unknown }
    ? Given
    : never
}

/** By name alone: the components themselves come with the pages that use them. */
const components: ComponentsOf<typeof mantine> = {
  ActionIcon: {
    defaultProps: { variant: 'subtle', color: 'gray', size: 28 },
  },
  Alert: {
    defaultProps: { variant: 'light', p: 'sm' },
    styles: {
      body: { gap: 2 },
      title: { fontSize: 13 },
      message: { marginTop: 0, overflow: 'visible' },
    },
    vars: ({ primaryColor }, { color = primaryColor }) => ({
      root: {
        '--alert-bg': `color-mix(in srgb, var(--mantine-color-${color}-5) 9%, var(--surface))`,
        '--alert-bd': `1px solid color-mix(in srgb, var(--mantine-color-${color}-5) 32%, var(--surface))`,
        '--alert-color': readable(color),
      },
    }),
  },
  Badge: {
    defaultProps: { variant: 'light', size: 'sm', radius: 4, tt: 'none', fw: 500 },
    styles: { root: { flex: 'none', '--badge-fz': '11px' } },
    vars: ({ primaryColor }, { variant, color = primaryColor }) => ({
      root:
        variant === 'light'
          ? {
              '--badge-bg': `color-mix(in srgb, var(--mantine-color-${color}-5) 15%, transparent)`,
              '--badge-color': readable(color),
            }
          : {},
    }),
  },
  Button: { defaultProps: { size: 'xs' }, styles: { label: { fontWeight: 500 } } },
  Drawer: {
    defaultProps: { position: 'right', padding: 'lg', attributes: plainHeader },
    // The head stays in place: a field that gets the focus comes into view below it, with its label.
    styles: { content: { scrollPaddingTop: 120 } },
  },
  // Mantine's placeholder for the first focus is no child that a menu may have.
  Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
  Modal: {
    defaultProps: { centered: true, padding: 'lg', attributes: plainHeader },
  },
  MultiSelect: controls,
  NativeSelect: controls,
  PasswordInput: controls,
  SegmentedControl: {
    ...controls,
    styles: { label: { fontWeight: 500 } },
  },
  Pill: { styles: { root: { '--pill-fz': '12px' } } },
  Select: controls,
  Switch: controls,
  Table: { defaultProps: { verticalSpacing: 7, horizontalSpacing: 12 } },
  TagsInput: controls,
  Textarea: controls,
  TextInput: controls,
  Tooltip: { defaultProps: { openDelay: 400, fz: 12, withArrow: true } },
}

export const theme = createTheme({
  primaryColor: 'iris',
  primaryShade: { light: 7, dark: 6 },
  colors: { iris, gray: neutral, dark: ink },
  fontFamily:
    'Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "PingFang SC", "Hiragino Sans GB", "Microsoft YaHei", "Noto Sans CJK SC", sans-serif',
  fontFamilyMonospace:
    'ui-monospace, "SF Mono", "JetBrains Mono", Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace',
  fontSizes: { xs: '0.8125rem', sm: '0.8125rem', md: '0.8125rem', lg: '1rem', xl: '1.125rem' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.125rem', lineHeight: '1.4' },
      h2: { fontSize: '0.9375rem', lineHeight: '1.4' },
      h3: { fontSize: '0.875rem', lineHeight: '1.4' },
    },
  },
  defaultRadius: 6,
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components,
})

/** Colors without a name in Mantine; style sheets use only these. */
export const resolveVariables: CSSVariablesResolver = () => ({
  variables: {
    '--sidebar-width': '200px',
    '--topbar-height': '46px',
  },
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-text': '#1d1d21',
    '--mantine-color-dimmed': '#656570',
    // Mantine's own reds are too faint for texts of 13 px.
    '--mantine-color-error': '#c92a2a',
    '--mantine-color-red-6': '#c92a2a',
    '--mantine-color-red-filled': '#c92a2a',
    '--mantine-color-red-filled-hover': '#b02525',
    '--mantine-color-red-light-color': '#c92a2a',
    '--ground': '#f7f7f8',
    '--surface': '#ffffff',
    '--surface-sunken': '#f4f4f5',
    '--line': '#e6e6ea',
    '--line-strong': '#d6d6dc',
    '--hover': '#f4f4f6',
    '--good': '#15803d',
    '--bad': '#c92a2a',
    '--warn': '#a35200',
    '--code-name': '#2c3d9e',
    '--code-text': '#176334',
    '--code-number': '#8f4700',
    '--connecting': '#c77700',
    '--waiting': '#8aa0f0',
  },
  dark: {
    '--mantine-color-body': '#18181c',
    '--mantine-color-dimmed': '#9a9aa5',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-red-filled': '#c92a2a',
    '--mantine-color-red-filled-hover': '#b02525',
    '--ground': '#111114',
    '--surface': '#18181c',
    '--surface-sunken': '#121215',
    '--line': '#292930',
    '--line-strong': '#393942',
    '--hover': '#1f1f24',
    '--good': '#4ade80',
    '--bad': '#ff8787',
    '--warn': '#fbbf6b',
    '--code-name': '#b9c2f4',
    '--code-text': '#8fd8a5',
    '--code-number': '#f5c084',
    '--connecting': '#f0a94a',
    '--waiting': '#7d8ce0',
  },
})
