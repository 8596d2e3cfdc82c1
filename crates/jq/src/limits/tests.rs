use super::*;

#[test]
fn the_first_limit_is_kept_and_ends_the_run() {
    start(Some(10), None, 100);
    assert!(charge(9) && exceeded().is_none());
    assert!(!charge(5));
    exceed(Limit::Depth);
    assert_eq!(exceeded(), Some(Limit::Steps));
    assert!(!charge(0));
    record_read(100);
    assert!(!charge(1), "bytes read after the end give no steps");
    start(Some(u64::MAX), None, 0);
    assert!(charge(MAX_STEPS - 1) && !charge(1));
}

#[test]
fn reads_give_steps_back_up_to_those_at_the_start() {
    start(Some(10), None, 200 * BYTES_PER_STEP);
    assert!(charge(5));
    unmetered(|| {
        assert!(charge(1000));
        unmetered(|| record_read(BYTES_PER_STEP + 1));
        record_read(2 * BYTES_PER_STEP - 1);
    });
    assert!(charge(7), "three steps for three times as many bytes");
    record_read(100 * BYTES_PER_STEP);
    assert!(charge(9) && !charge(1), "not more than ten");
}

#[test]
fn reads_of_the_whole_source_again_and_again_take_steps() {
    start(Some(10), None, 20 * BYTES_PER_STEP);
    (0..FREE_READS).for_each(|_| record_read(20 * BYTES_PER_STEP));
    unmetered(|| record_read(9 * BYTES_PER_STEP));
    assert_eq!(exceeded(), None);
    record_read(BYTES_PER_STEP);
    assert_eq!(exceeded(), Some(Limit::Steps));
}

#[test]
fn unmetered_work_does_not_undo_a_limit() {
    start(Some(10), None, 100);
    exceed(Limit::Steps);
    unmetered(|| ());
    assert!(!charge(0));
}

#[test]
fn dropped_reservations_are_released() {
    start(None, None, 0);
    let before = reserved();
    let mut reservation = Reservation::new(100);
    let copy = reservation.clone();
    assert_eq!(reserved(), before + 200);
    let read = unmetered(|| Reservation::new(filter_memory()));
    assert_eq!(exceeded(), None);
    reservation.resize(filter_memory());
    assert_eq!(exceeded(), Some(Limit::Memory));
    drop((reservation, copy, read));
    assert_eq!(reserved(), before);
}
