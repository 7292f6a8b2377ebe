! Answers lines "function input" with "function input bits of the result", by Fortran's own functions.
program functions
    use, intrinsic :: iso_fortran_env, only: real32, real64
    implicit none
    character(32) :: name, input
    real(real64) :: x
    integer :: status

    do
        read (*, *, iostat=status) name, input
        if (status /= 0) exit
        read (input, *) x
        select case (name)
        case ("erff")
            call print_float(erf(real(x, real32)))
        case ("erfcf")
            call print_float(erfc(real(x, real32)))
        case ("expf")
            call print_float(exp(real(x, real32)))
        case ("erf")
            print "(a, z16.16)", trim(name)//" "//trim(input)//" ", erf(x)
        case ("erfc")
            print "(a, z16.16)", trim(name)//" "//trim(input)//" ", erfc(x)
        end select
    end do

contains

    subroutine print_float(y)
        real(real32), intent(in) :: y
        print "(a, z8.8)", trim(name)//" "//trim(input)//" ", y
    end subroutine

end program
