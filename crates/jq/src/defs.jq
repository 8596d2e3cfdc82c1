# Filters that jaq-core does not define, or defines otherwise than jq does, in the order of the
# manual of jq 1.7, except for those that others use. Names that begin with an underscore are
# internal; most of them are natives.

def isboolean: type == "boolean";
def isnumber: type == "number";
def isstring: type == "string";
def isarray: type == "array";
def isobject: type == "object";
def isinfinite: . == infinite or . == -infinite;
def isfinite: isnumber and (isinfinite | not);
def isnormal: isfinite and (. == 0 or isnan | not);

def values: select(. != null);
def nulls: select(. == null);
def booleans: select(isboolean);
def numbers: select(isnumber);
def finites: select(isfinite);
def normals: select(isnormal);
def strings: select(isstring);
def arrays: select(isarray);
def objects: select(isobject);
def iterables: select(isarray or isobject);
def scalars: select(isarray or isobject | not);
def keys: keys_unsorted | sort;
def unique_by(f): [group_by(f)[] | .[0]];
def unique: unique_by(.);
def drem($x; $y): remainder($x; $y) | if . == 0 then copysign(.; $x) end;
def nexttoward($x; $y): nextafter($x; $y);
def add: add(.[]);
# No filter takes as many steps as this has rounds.
def repeat(f): range(1000000000) as $_ | range(1000000000) as $_ | f;
def toarray: if type == "array" then . else [.] end;
def flatten($depth):
  if $depth < 0 then error("flatten depth must not be negative") else _flatten($depth) end;
def flatten: flatten(1000000000);
def getpath($path): reduce ($path | _path)[] as $p (.; .[$p]);
def setpath($path; $x): getpath($path) = $x;
def pick(f): . as $top | reduce path(f) as $p (null; setpath($p; $top | getpath($p)));
def del(f): delpaths([path(f)]);
def with_entries(f): to_entries | map(f) | from_entries;
def paths(f): path(.. | select(f)) | select(length > 0);
def leaf_paths: paths(scalars);
def transpose: (map(length) | max // 0) as $n | [range($n) as $i | map(.[$i])];
def in($container): . as $key | $container | has($key);
def inside($container): . as $part | $container | contains($part);
def nth($n; f): if $n < 0 then error("there is no output number \($n)") else first(skip($n; f)) end;
def combinations:
  if length == 0 then [] else .[0][] as $x | (.[1:] | combinations) as $rest | [$x] + $rest end;
def combinations($n): . as $dot | [range($n) | $dot] | combinations;
def have_literal_numbers: true;
def have_decnum: true;
def index($part): indices($part) | .[0];
def rindex($part): indices($part) | .[-1];
def ascii: [.] | implode;
def isvalid(f): try (f | true) catch false;
def debug: .;
def debug(message): (message | empty), .;
def stderr: .;
def halt_error($code): halt_error;

# Streams
def fromstream(f):
  {x: null, e: false} as $init
  | foreach f as $i ($init;
      if .e then $init else . end
      | if $i | length == 2
        then setpath(["e"]; $i[0] | length == 0) | setpath(["x"] + $i[0]; $i[1])
        else setpath(["e"]; $i[0] | length == 1) end;
      if .e then .x else empty end);
def truncate_stream(stream):
  . as $n | null | stream | . as $input
  | if (.[0] | length) > $n then setpath([0]; .[0][$n:]) else empty end;

# Regular expressions
def _flags($f): if $f == null then "" else $f end;
def match($re; $flags): _matches($re; _flags($flags))[];
def match($re): if ($re | type) == "array" then match($re[0]; $re[1]) else match($re; null) end;
def test($re; $flags): _test($re; _flags($flags));
def test($re): if ($re | type) == "array" then test($re[0]; $re[1]) else test($re; null) end;
def _named: [.captures[] | select(.name != null) | {key: .name, value: .string}] | from_entries;
def capture($re; $flags): match($re; $flags) | _named;
def capture($re): if ($re | type) == "array" then capture($re[0]; $re[1]) else capture($re; null) end;
def scan($re; $flags):
  match($re; _flags($flags) + "g") | if .captures == [] then .string else [.captures[].string] end;
def scan($re): scan($re; null);
def split($re; $flags): _split($re; _flags($flags) + "g");
def splits($re; $flags): split($re; $flags)[];
def splits($re): splits($re; null);
# The first outputs of f for all matches make the first result, the second outputs the next.
def sub($re; f; $flags):
  [_split_matches($re; _flags($flags))[] | if type == "object" then [_named | f] else . end] as $parts
  | range([1, ($parts[] | arrays | length)] | max) as $i
  | reduce range(1; $parts | length; 2) as $at ("";
      if $parts[$at] | length > $i then . + $parts[$at - 1] + $parts[$at][$i] else . end)
    + $parts[-1];
def sub($re; f): sub($re; f; "");
def gsub($re; f; $flags): sub($re; f; _flags($flags) + "g");
def gsub($re; f): sub($re; f; "g");

# Dates
def todate: todateiso8601;
def fromdate: fromdateiso8601;
def date: todate;
def dateadd(unit; $n): . + $n;
def datesub(unit; $n): . - $n;

# SQL-like
def INDEX(stream; f): reduce stream as $row ({}; .[$row | f | tostring] |= $row);
def INDEX(f): INDEX(.[]; f);
def JOIN($index; f): [.[] | [., $index[f]]];
def JOIN($index; stream; f): stream | [., $index[f]];
def JOIN($index; stream; f; join): stream | [., $index[f]] | join;
def IN(s): any(s == .; .);
def IN(src; s): any(src == s; .);
