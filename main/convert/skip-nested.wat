;; Finds where an object or array ends, 64 bytes of JSON at a time: in each mask a bit stands for each of
;; them, the first byte's lowest. Compiled into skip-nested-wasm.ts by `node .scripts/compile-wat.mjs`.
(module
  ;; The first 64 KiB are for the bytes to be looked at; 63 more may be read. From 128 KiB on stand the bytes
  ;; that close what is open, the innermost last: 64 KiB of them at most.
  (memory (export "memory") 3)
  (global $depth (export "depth") (mut i32) (i32.const 0))

  ;; Looks at the bytes from 0 up to $end, the first of which is in a string if $beginsInText is -1, and in
  ;; none if it is 0; `depth` says how many closers there are. Gives the index behind the byte that closes the
  ;; last of them. Where there is none: -1 when the end is in no string, -2 when it is in one, -3 when it is in
  ;; one and what comes next is escaped. -4 for a closer that does not match what is open, and when more is
  ;; open than there is room for.
  (func (export "skip") (param $end i32) (param $beginsInText i32) (result i32)
    (local $at i32) (local $count i32) (local $index i32) (local $code i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $mine i64) (local $backslashes i64) (local $escaped i64) (local $carry i64)
    (local $behind i64) (local $first i64) (local $sum i64)
    (local $quotes i64) (local $text i64) (local $isText i64) (local $brackets i64)

    (local.set $isText (i64.extend_i32_s (local.get $beginsInText)))
    (loop $blocks
      (if (i32.ge_u (local.get $at) (local.get $end)) (then
        (if (i64.eqz (local.get $isText)) (then (return (i32.const -1))))
        (return (i32.sub (i32.const -2) (i32.wrap_i64 (local.get $carry))))))

      (local.set $a (v128.load (local.get $at)))
      (local.set $b (v128.load offset=16 (local.get $at)))
      (local.set $c (v128.load offset=32 (local.get $at)))
      (local.set $d (v128.load offset=48 (local.get $at)))
      ;; Which of the 64 are to be looked at.
      (local.set $count (i32.sub (local.get $end) (local.get $at)))
      (local.set $mine (i64.const -1))
      (if (i32.lt_u (local.get $count) (i32.const 64)) (then
        (local.set $mine
          (i64.shr_u (i64.const -1) (i64.extend_i32_u (i32.sub (i32.const 64) (local.get $count)))))))

      (local.set $backslashes (i64.and (local.get $mine)
        (i64.or
          (i64.or
            (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $a) (i8x16.splat (i32.const 0x5c)))))
            (i64.shl
              (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $b) (i8x16.splat (i32.const 0x5c)))))
              (i64.const 16)))
          (i64.or
            (i64.shl
              (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $c) (i8x16.splat (i32.const 0x5c)))))
              (i64.const 32))
            (i64.shl
              (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $d) (i8x16.splat (i32.const 0x5c)))))
              (i64.const 48))))))
      (if (i64.eqz (local.get $backslashes))
        (then
          (local.set $escaped (local.get $carry))
          (local.set $carry (i64.const 0)))
        (else
          ;; Escaped is what stands behind a run of backslashes of odd length. Of runs that begin at odd
          ;; places the first is added: that carries to the place behind the run, and there the sum's bits
          ;; differ from those of a run that begins at an even place.
          (local.set $backslashes
            (i64.and (local.get $backslashes) (i64.xor (local.get $carry) (i64.const -1))))
          (local.set $behind
            (i64.or (i64.shl (local.get $backslashes) (i64.const 1)) (local.get $carry)))
          (local.set $first (i64.and
            (i64.and (local.get $backslashes) (i64.const 0xaaaaaaaaaaaaaaaa))
            (i64.xor (local.get $behind) (i64.const -1))))
          (local.set $sum (i64.add (local.get $first) (local.get $backslashes)))
          (local.set $escaped (i64.and
            (local.get $behind)
            (i64.xor (i64.const 0x5555555555555555) (i64.shl (local.get $sum) (i64.const 1)))))
          (local.set $carry (i64.extend_i32_u (i64.lt_u (local.get $sum) (local.get $first))))
          (if (i32.lt_u (local.get $count) (i32.const 64)) (then
            (local.set $carry (i64.and (i64.const 1)
              (i64.shr_u (local.get $escaped) (i64.extend_i32_u (local.get $count)))))))))

      (local.set $quotes (i64.and
        (i64.and (local.get $mine) (i64.xor (local.get $escaped) (i64.const -1)))
        (i64.or
          (i64.or
            (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $a) (i8x16.splat (i32.const 0x22)))))
            (i64.shl
              (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $b) (i8x16.splat (i32.const 0x22)))))
              (i64.const 16)))
          (i64.or
            (i64.shl
              (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $c) (i8x16.splat (i32.const 0x22)))))
              (i64.const 32))
            (i64.shl
              (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $d) (i8x16.splat (i32.const 0x22)))))
              (i64.const 48))))))
      ;; Text is what has an odd number of quotes up to it: each bit becomes the sum of all up to itself.
      (local.set $text (i64.xor (local.get $quotes) (i64.shl (local.get $quotes) (i64.const 1))))
      (local.set $text (i64.xor (local.get $text) (i64.shl (local.get $text) (i64.const 2))))
      (local.set $text (i64.xor (local.get $text) (i64.shl (local.get $text) (i64.const 4))))
      (local.set $text (i64.xor (local.get $text) (i64.shl (local.get $text) (i64.const 8))))
      (local.set $text (i64.xor (local.get $text) (i64.shl (local.get $text) (i64.const 16))))
      (local.set $text (i64.xor (local.get $text) (i64.shl (local.get $text) (i64.const 32))))
      (local.set $text (i64.xor (local.get $text) (local.get $isText)))
      (local.set $isText (i64.shr_s (local.get $text) (i64.const 63)))

      (local.set $mine (i64.and (local.get $mine) (i64.xor (local.get $text) (i64.const -1))))
      (if (i64.ne (i64.and (local.get $mine) (local.get $backslashes)) (i64.const 0))
        (then (return (i32.const -4))))
      (if (i64.ne (local.get $mine) (i64.const 0)) (then
        ;; Brackets and braces become 0x7f, and so do Y, y and _, which are told apart below.
        (local.set $brackets (i64.and (local.get $mine)
          (i64.or
            (i64.or
              (i64.extend_i32_u (i8x16.bitmask (i8x16.eq
                (v128.or (local.get $a) (i8x16.splat (i32.const 0x26)))
                (i8x16.splat (i32.const 0x7f)))))
              (i64.shl
                (i64.extend_i32_u (i8x16.bitmask (i8x16.eq
                  (v128.or (local.get $b) (i8x16.splat (i32.const 0x26)))
                  (i8x16.splat (i32.const 0x7f)))))
                (i64.const 16)))
            (i64.or
              (i64.shl
                (i64.extend_i32_u (i8x16.bitmask (i8x16.eq
                  (v128.or (local.get $c) (i8x16.splat (i32.const 0x26)))
                  (i8x16.splat (i32.const 0x7f)))))
                (i64.const 32))
              (i64.shl
                (i64.extend_i32_u (i8x16.bitmask (i8x16.eq
                  (v128.or (local.get $d) (i8x16.splat (i32.const 0x26)))
                  (i8x16.splat (i32.const 0x7f)))))
                (i64.const 48))))))
        (block $none (loop $next
          (br_if $none (i64.eqz (local.get $brackets)))
          (local.set $index
            (i32.add (local.get $at) (i32.wrap_i64 (i64.ctz (local.get $brackets)))))
          (local.set $brackets
            (i64.and (local.get $brackets) (i64.sub (local.get $brackets) (i64.const 1))))
          (local.set $code (i32.load8_u (local.get $index)))
          ;; What closes stands two behind what opens.
          (if (i32.eq (i32.or (local.get $code) (i32.const 0x20)) (i32.const 0x7b)) (then
            (if (i32.eq (global.get $depth) (i32.const 65536)) (then (return (i32.const -4))))
            (i32.store8 offset=131072 (global.get $depth)
              (i32.add (local.get $code) (i32.const 2)))
            (global.set $depth (i32.add (global.get $depth) (i32.const 1)))))
          (if (i32.eq (i32.or (local.get $code) (i32.const 0x20)) (i32.const 0x7d)) (then
            (global.set $depth (i32.sub (global.get $depth) (i32.const 1)))
            (if (i32.ne (i32.load8_u offset=131072 (global.get $depth)) (local.get $code))
              (then (return (i32.const -4))))
            (if (i32.eqz (global.get $depth))
              (then (return (i32.add (local.get $index) (i32.const 1)))))))
          (br $next)))))

      (local.set $at (i32.add (local.get $at) (i32.const 64)))
      (br $blocks))
    (unreachable)))
