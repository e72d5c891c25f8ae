/** Two tracks and the points between them. */
export function BrandMark({ size = 22 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" fill="none" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#4255d4" />
      <path
        d="M7 21h5.5c3.5 0 4-10 7.5-10H25M7 11h5.5c1.4 0 2.3 1.6 3.1 3.5M17 18.3c.8 1.700 1.6 2.7 3 2.7H25"
        stroke="#fff"
        strokeWidth="2.4"
        strokeLinecap="round"
      />
    </svg>
  )
}
